"""Status codes and constants that kernels and their callers share; codes.pxd defines them."""
