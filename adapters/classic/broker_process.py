"""The process of a broker: `python -m tidegate.adapters.classic.broker_process GENERATION JARS FOLDER SOCKET`."""

import sys
from pathlib import Path

from tidegate.adapters.jvm.machine import start_jvm
from tidegate.adapters.jvm.remote import serve

MEMORY = "-Xmx512m"
LOG_FORMAT = "-Djava.util.logging.SimpleFormatter.format=%1$tF %1$tT,%1$tL %4$-7s [%3$s] %5$s%6$s%n"

if __name__ == "__main__":
    generation, jars, folder, address = sys.argv[1:]
    start_jvm(Path(jars), Path(address).parent, MEMORY, LOG_FORMAT)
    # it takes its classes from the JVM
    from tidegate.adapters.classic.embedded import EmbeddedBroker
    from tidegate.adapters.classic.embedded_4 import EmbeddedBroker4

    brokers = {"4": EmbeddedBroker4, "5": EmbeddedBroker}
    serve(brokers[generation](folder), address)
