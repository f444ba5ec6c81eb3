"""The process of the clients: `python -m tidegate.adapters.artemis.openwire.client_process JARS SOCKET`."""

import sys
from pathlib import Path

from tidegate.adapters.jvm.machine import start_jvm
from tidegate.adapters.jvm.remote import serve

HEAP_MB = 512

if __name__ == "__main__":
    jars, address = sys.argv[1:]
    start_jvm(Path(jars), Path(address).parent, HEAP_MB)
    # its module takes its classes from the JVM
    from tidegate.adapters.artemis.openwire.client import ArtemisJmsClient

    serve(ArtemisJmsClient(), address)
