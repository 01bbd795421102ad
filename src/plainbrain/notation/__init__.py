"""The written forms of a memory, one file for each seed's format. Pure: text in, memories out, and back."""
