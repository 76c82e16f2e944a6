"""Mutation testing: the faults, where they are tried, and the results."""
