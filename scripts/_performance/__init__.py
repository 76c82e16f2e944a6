"""The measurements behind scripts/performance, and the page that they make."""
