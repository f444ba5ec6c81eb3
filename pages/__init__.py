"""What every report that headgate writes shares: the look of its pages, how texts are marked, the signs of verdicts."""
