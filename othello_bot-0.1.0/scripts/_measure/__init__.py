"""The measurements of scripts/measure."""
