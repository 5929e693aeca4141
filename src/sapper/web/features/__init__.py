"""The features of the page: each module has its routes, their bodies and their answers."""
