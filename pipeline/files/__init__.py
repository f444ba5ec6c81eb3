"""Files of any kind, in folders and in storage: opened, unpacked, written so that they are whole, read as tables."""
