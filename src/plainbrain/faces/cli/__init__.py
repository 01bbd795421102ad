"""The command line ``brain``."""
