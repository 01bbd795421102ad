"""Turning texts into vectors: a local ONNX model, a static table, a remote endpoint, or word hashing.

Knows texts and vectors; knows no memory, store or index.
"""
