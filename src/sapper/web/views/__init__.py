"""One module a view: what the page's views ask of the engine."""
