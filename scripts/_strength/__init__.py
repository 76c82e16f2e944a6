"""What scripts/measure strength-ladder and scripts/measure strength-mistakes write into docs/strength.md."""
