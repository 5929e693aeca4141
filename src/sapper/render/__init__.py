"""Pictures of boards, positions and layouts as text, SVG, PDF and pixels."""
