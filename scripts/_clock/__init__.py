"""The simulation of the time manager over recorded games: `scripts/measure clock-simulation`."""
