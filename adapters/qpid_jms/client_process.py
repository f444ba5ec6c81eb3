"""The process of the clients: `python -m tidegate.adapters.qpid_jms.client_process JARS LOG4J SOCKET`."""

import sys
from pathlib import Path

from tidegate.adapters.jvm.machine import start_jvm
from tidegate.adapters.jvm.remote import serve

HEAP_MB = 128

if __name__ == "__main__":
    jars, log4j, address = sys.argv[1:]
    start_jvm(Path(jars), Path(address).parent, HEAP_MB, f"-Dlog4j.configuration=file:{log4j}")
    # it takes its classes from the JVM
    from tidegate.adapters.qpid_jms.jms import JmsClient

    serve(JmsClient(), address)
