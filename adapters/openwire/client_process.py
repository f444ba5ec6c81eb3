"""The process of the clients: `python -m tidegate.adapters.openwire.client_process GENERATION JARS SOCKET`."""

import sys
from pathlib import Path

from tidegate.adapters.jvm.machine import start_jvm
from tidegate.adapters.jvm.remote import serve

HEAP_MB = 512

if __name__ == "__main__":
    generation, jars, address = sys.argv[1:]
    start_jvm(Path(jars), Path(address).parent, HEAP_MB)
    # its module takes its classes from the JVM
    from tidegate.adapters.openwire.jms import JmsClient
    from tidegate.adapters.openwire.jms_4 import JmsClient4
    from tidegate.adapters.openwire.jms_50 import JmsClient50

    clients = {"4": JmsClient4, "5.0": JmsClient50, "5": JmsClient}
    serve(clients[generation](), address)
