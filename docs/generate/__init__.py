"""What the site says that is computed: the chapters with their forms, the indexes and the reference tables."""
