"""What every report that tidegate writes shares: the look of its pages, how texts are marked, the signs of verdicts."""
