"""The player `thoughtful`: perfect endings, two moves ahead, an eye on fifty-fifties."""
