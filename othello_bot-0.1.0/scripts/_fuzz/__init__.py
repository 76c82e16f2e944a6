"""Coverage-guided fuzzing: targets, their seeds, a worker that fuzzes one of them, and the command that runs all."""
