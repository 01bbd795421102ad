"""Text: tokens of any script, slugs, and patterns as data. Pure; knows nothing of memories."""
