"""Copies of what was kept, sent to another place as well as can be done."""
