"""Finding the nearest of many vectors: exact cosine, and a shortlist by signs where there are many. Needs numpy.

Knows vectors, ids and one number that labels each; knows no memory, file or store.
"""
