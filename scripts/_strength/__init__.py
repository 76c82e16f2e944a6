"""What scripts/strength-ladder and scripts/strength-mistakes write into docs/strength.md."""
