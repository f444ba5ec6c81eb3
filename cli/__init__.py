"""The `tidegate` command: one module per subcommand, each imported only when it is used."""
