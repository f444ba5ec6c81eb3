"""A process of clients: `python -m headgate.adapters.qpid_jms.client_process JARS LOG4J WAIT_MS NOTIFY_MS SOCKET`.

Both times are system properties of the JVM; the empty text leaves one unset.
"""

import sys
from pathlib import Path

from headgate.adapters.jvm.machine import start_jvm
from headgate.adapters.jvm.remote import serve

MEMORY = "-Xmx128m"
WAIT = "qpid.flow_control_wait_failure"
NOTIFY = "qpid.flow_control_wait_notify_period"

if __name__ == "__main__":
    jars, log4j, wait_ms, notify_ms, address = sys.argv[1:]
    times = [f"-D{name}={ms}" for name, ms in ((WAIT, wait_ms), (NOTIFY, notify_ms)) if ms]
    start_jvm(Path(jars), Path(address).parent, MEMORY, f"-Dlog4j.configuration=file:{log4j}", *times)
    # it takes its classes from the JVM
    from headgate.adapters.qpid_jms.jms import JmsClient

    serve(JmsClient(), address)
