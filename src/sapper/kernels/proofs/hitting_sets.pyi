"""Written by tools/kernel_stubs.py from the source."""



