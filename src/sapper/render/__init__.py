"""Pictures of boards, positions and layouts: one scene, and a writer for each format."""
