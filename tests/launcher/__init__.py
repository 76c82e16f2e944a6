"""The launcher and the documents: scripts run for real, in copies of the checkout, with a Python that only pretends."""
