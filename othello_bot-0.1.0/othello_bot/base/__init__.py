"""What all packages share, apart from wire text: colours, squares, boards as text, clocks, errors, POSIX, files."""
