"""Measuring speed: ``python -m bench [NAME ...]`` runs the benches, each a module of this folder."""
