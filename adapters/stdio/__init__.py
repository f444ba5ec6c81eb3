"""Programs in any language, driven over their stdin and stdout: `--adapter "cmd:PROGRAM ARGUMENT…"`."""
