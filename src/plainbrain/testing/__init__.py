"""The kit we ship to test stores, notations and what is built on Plainbrain."""
