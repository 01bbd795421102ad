"""Files: atomic writes, locks between processes, paths that cannot leave the brain, the journal."""
