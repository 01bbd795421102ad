"""Stores: the places where memories are kept, one file or room for each, all under one contract."""
