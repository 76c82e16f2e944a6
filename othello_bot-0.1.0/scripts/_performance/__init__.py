"""The measurements behind scripts/measure performance, and the page made from them."""
