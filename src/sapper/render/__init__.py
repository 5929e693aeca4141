"""Pictures of boards, frames and layouts: one scene, and a writer for each format."""
