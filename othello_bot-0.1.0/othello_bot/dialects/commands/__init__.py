"""The commands of GTP and of the native session, one module a subject."""
