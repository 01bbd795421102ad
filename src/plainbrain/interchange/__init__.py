"""Reading and writing the files of other memory tools, one file for each."""
