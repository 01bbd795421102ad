"""Other memory tools, run beside ours: how each is installed, started and spoken to, and the notes that all are given."""
