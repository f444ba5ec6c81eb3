"""The Java virtual machine of this process, and what both ends of the adapter need of it. Nobody else knows JPype."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import jpype  # type: ignore[import-untyped]  # JPype ships no types

from tidegate.adapters.process.java import LOCALE, memory

JavaError: type[Exception] = jpype.JException
"""What Java raised; its text begins with its class."""


def start_jvm(jars: Path, folder: Path, heap_mb: int, *options: str) -> None:
    """Start it with these jars and a heap of so many MiB. `jpype.JVMNotFoundException` if this machine has none.

    What the JVM writes of itself if it crashes goes to the folder.
    """
    options = (*options, f"-XX:ErrorFile={folder}/jvm-crash.log")
    classpath = [str(jar) for jar in sorted(jars.glob("*.jar"))]
    jpype.startJVM(*memory(heap_mb), *LOCALE, *options, classpath=classpath, convertStrings=True)


def java_class(name: str) -> Any:
    """A class, to be called as its constructor."""
    return jpype.JClass(name)


def see_jars() -> None:
    """Let the code that this thread calls find what is in the jars, where it asks the thread for a class loader."""
    jpype.java.lang.Thread.currentThread().setContextClassLoader(jpype.java.lang.ClassLoader.getSystemClassLoader())


def zeros(count: int) -> Any:
    """An array of so many bytes."""
    return jpype.JArray(jpype.JByte)(count)


def java_bytes(data: bytes) -> Any:
    """An array of these bytes."""
    return jpype.JArray(jpype.JByte)(data)


def locked(monitor: Any) -> AbstractContextManager[None]:
    """What `synchronized` does for a block of Java."""
    held: AbstractContextManager[None] = jpype.synchronized(monitor)
    return held


def hidden(holder: Any, name: str) -> Any:
    """The value of a field that a class keeps to itself, its own or one that it inherited. AttributeError if none."""
    kind = holder.getClass()
    while kind is not None:
        for field in kind.getDeclaredFields():
            if field.getName() == name:
                field.setAccessible(True)
                return field.get(holder)
        kind = kind.getSuperclass()
    raise AttributeError(f"{holder.getClass().getName()} has no field {name!r}")


def first_of_type(holder: Any, type_name: str) -> Any:
    """The value of the first field of a type, such as what an inner class caught. AttributeError if it has none."""
    for field in holder.getClass().getDeclaredFields():
        if field.getType().getName() == type_name:
            field.setAccessible(True)
            return field.get(holder)
    raise AttributeError(f"{holder.getClass().getName()} has no field of type {type_name}")


def stacks(thread_prefix: str) -> dict[str, Sequence[Any]]:
    """The stack of each thread whose name starts so."""
    threads = java_class("java.lang.Thread").getAllStackTraces()
    found = {str(entry.getKey().getName()): entry.getValue() for entry in threads.entrySet()}
    return {name: stack for name, stack in found.items() if name.startswith(thread_prefix)}
