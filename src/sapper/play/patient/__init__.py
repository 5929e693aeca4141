"""The player `patient`: the guess of another player, thought over by roll-outs."""
