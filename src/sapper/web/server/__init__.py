"""The HTTP server: middleware, limits, requests and responses, worker threads."""
