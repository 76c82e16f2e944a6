"""A session with a person: prompt, line editing and the drawn board."""
