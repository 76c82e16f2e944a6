"""What scripts/measure strength-ladder writes into docs/development/strength.md."""
