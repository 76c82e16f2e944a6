"""Other libraries, each in an environment of its own: `scripts/test --libraries` installs them and runs these tests."""
