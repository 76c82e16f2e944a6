"""The pictures and texts of scripts/figures."""
