"""The exact engine, one module for each stage; `workspace` describes the arrays."""
