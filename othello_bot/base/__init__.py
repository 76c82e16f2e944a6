"""What every package shares and no wire carries: colours, squares, boards as text, clocks, errors, POSIX, files."""
