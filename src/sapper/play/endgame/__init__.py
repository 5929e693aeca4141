"""Perfect play: the exact best chance of winning, where few enough placements are left."""
