"""What the scripts that measure and draw the page share."""
