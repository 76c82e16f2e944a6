"""The process around a session: descriptors, signals, the reader and the way out."""
