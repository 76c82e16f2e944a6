"""The measurements behind docs/textbook.md; `scripts/textbook_results` is their command."""
