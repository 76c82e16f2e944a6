"""Measuring by command: perft, bench and solve."""
