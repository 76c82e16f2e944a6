"""The dialects of a session: GTP and the native session, NBoard, Cassio, and the programs of other arenas."""
