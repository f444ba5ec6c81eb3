"""The computed parts of the site: the chapters with their forms, the indexes and the reference tables."""
