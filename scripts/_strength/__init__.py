"""What scripts/measure strength-ladder writes into docs/strength.md."""
