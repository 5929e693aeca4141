"""Training of the networks behind `learned` and its kin: data, fitting, card. Not in the wheel."""
