"""The hooks of agents' hosts."""
