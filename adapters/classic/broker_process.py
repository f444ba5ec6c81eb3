"""The process of a broker: `python -m tidegate.adapters.classic.broker_process GENERATION JARS FOLDER SOCKET`."""

import sys
from importlib.resources import as_file, files
from pathlib import Path

from tidegate.adapters.jvm.machine import start_jvm
from tidegate.adapters.jvm.remote import serve

HEAP_MB = 512
LOG_FORMAT = "-Djava.util.logging.SimpleFormatter.format=%1$tF %1$tT,%1$tL %4$-7s [%3$s] %5$s%6$s%n"

if __name__ == "__main__":
    generation, jars, folder, address = sys.argv[1:]
    with as_file(files("tidegate.adapters.classic").joinpath("log4j.properties")) as by_log4j:
        logging = (LOG_FORMAT, f"-Dlog4j.configuration={by_log4j.as_uri()}")
        start_jvm(Path(jars), Path(address).parent, HEAP_MB, *logging)
    # its module takes its classes from the JVM
    from tidegate.adapters.classic.embedded import EmbeddedBroker
    from tidegate.adapters.classic.embedded_4 import EmbeddedBroker4
    from tidegate.adapters.classic.embedded_50 import EmbeddedBroker50

    brokers = {"4": EmbeddedBroker4, "5.0": EmbeddedBroker50, "5": EmbeddedBroker}
    serve(brokers[generation](folder), address)
