"""What every page of HTML that headgate writes shares: its look, and how texts are marked in it."""

from headgate.pages.environment import environment, slug

__all__ = ["environment", "slug"]
