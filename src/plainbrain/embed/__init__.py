"""Turning texts into vectors: a local ONNX model, a static table, a remote endpoint, or word hashing.

Knows texts and vectors; knows no memory, store or index. Nobody is told of it: onnxruntime's own reports to its maker
are switched off here, before any part of it is loaded.
"""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"
