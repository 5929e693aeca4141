"""The exact engine, stage by stage; `workspace` has the legend."""
