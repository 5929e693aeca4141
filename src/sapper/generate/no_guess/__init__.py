"""No-guess boards: layouts that certain moves alone win from the first click."""
