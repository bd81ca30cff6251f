"""`angelia setup`: finds what there is, asks for the rest, tries it, writes the file."""
