"""Recall as pure functions: reading a query, scoring, fusing, ranking, packing."""
