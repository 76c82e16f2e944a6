"""Programs as users of other libraries would write them; each runs in the environment of its library and prints JSON."""
