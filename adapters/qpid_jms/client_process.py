"""The process of the clients: `python -m tidegate.adapters.qpid_jms.client_process JARS LOG4J KIND SOCKET`."""

import sys
from pathlib import Path

from tidegate.adapters.jvm.machine import start_jvm
from tidegate.adapters.jvm.remote import serve
from tidegate.adapters.qpid_jms.kind import KINDS

HEAP_MB = 128

if __name__ == "__main__":
    jars, log4j, name, address = sys.argv[1:]
    kind = KINDS[name]
    start_jvm(Path(jars), Path(address).parent, HEAP_MB, f"-Dlog4j.configuration=file:{log4j}", *kind.properties)
    # its module takes its classes from the JVM
    from tidegate.adapters.qpid_jms.jms import JmsClient

    serve(JmsClient(kind), address)
