"""The guard of a program that is spoken with: `python -m tidegate.adapters.stdio.guard FOLDER LOG IN OUT COMMAND…`.

As the guard of a server, but the program's stdin and stdout are the two open files IN and OUT, by number.
"""

import sys

from tidegate.adapters.process.guard import main

if __name__ == "__main__":
    folder, log, stdin, stdout, *command = sys.argv[1:]
    main(folder, log, command, (int(stdin), int(stdout)))
