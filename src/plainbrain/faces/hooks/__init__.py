"""The hooks of agents' hosts: what a host tells on standard input, and what it is answered."""
