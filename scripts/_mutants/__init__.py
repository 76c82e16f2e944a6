"""Mutation testing: which faults, tried where, and what came of them."""
