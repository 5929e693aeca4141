"""The features of the page: each module has its routes with their requests and responses."""
