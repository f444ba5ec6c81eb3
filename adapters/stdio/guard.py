"""The guard of a driven program: `python -m tidegate.adapters.stdio.guard FOLDER LOG IN OUT COMMAND…`.

It works as the guard of a server, but the program's stdin and stdout are the open file descriptors IN and OUT.
"""

import sys

from tidegate.adapters.process.guard import main

if __name__ == "__main__":
    folder, log, stdin, stdout, *command = sys.argv[1:]
    main(folder, log, command, (int(stdin), int(stdout)))
