"""One Classic broker of the generation before 5.0 inside the JVM of this process."""

from collections.abc import Iterator
from typing import Any

from tidegate.adapters.base import Limits
from tidegate.adapters.classic.embedded import MESSAGE
from tidegate.adapters.classic.embedded_50 import EmbeddedBroker50
from tidegate.adapters.groups import Usage
from tidegate.adapters.jvm.machine import first_of_type, hidden, java_class, locked, see_jars


class EmbeddedBroker4(EmbeddedBroker50):
    """A broker that limits memory only, and keeps every message there: nothing is stored, and no cursor can be
    chosen."""

    def _configure(self, service: Any, usage: Usage) -> None:
        if usage != Usage():
            raise ValueError("before 5.0 nothing but memory is limited, and a send never fails for want of it")
        see_jars()
        service.setPersistent(False)
        service.setDataDirectory(java_class("java.io.File")(str(self._folder)))

    def _set_flow_control(self, of: Any, limits: Limits) -> None:
        if limits.policy == "NONE":
            raise ValueError("before 5.0 flow control cannot be switched off for a destination")

    def _set_cursor(self, entry: Any, limits: Limits) -> None:
        if limits.cursor == "file":
            raise ValueError("before 5.0 a queue keeps in memory what waits there")

    def _created(self, destination: Any) -> Any:
        return self._service.getBroker().addDestination(self._service.getAdminConnectionContext(), destination)

    def _memory(self, destination: Any) -> Any:
        return destination.getUsageManager()

    def _held_of(self, destination: Any) -> Iterator[str]:
        memory = self._memory(destination)
        with locked(hidden(memory, "usageMutex")):
            sends = list(hidden(memory, "callbacks"))
        for send in sends:
            yield str(first_of_type(send, MESSAGE).getProducerId())
