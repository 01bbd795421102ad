"""What a memory is: frozen values, and the rules that hold for each of them alone.

Pure. Knows nothing of files, stores, clocks or notations.
"""
