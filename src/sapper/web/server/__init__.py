"""The server: routes, guard, limits, work off the event loop."""
