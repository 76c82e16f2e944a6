"""`othello-bot play`: a game at the terminal."""
