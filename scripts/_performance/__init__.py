"""The measurements behind scripts/performance, and the page made from them."""
