"""From what a file sets to what is in force at each destination, one module for each broker."""
