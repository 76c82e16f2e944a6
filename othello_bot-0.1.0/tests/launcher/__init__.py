"""The launcher and the documents: real scripts, in copies of the checkout, with a fake Python."""
