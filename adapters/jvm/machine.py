"""The Java virtual machine of this process, with the functions for adapters. No other module uses JPype."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import jpype  # type: ignore[import-untyped]  # JPype ships no types

from tidegate.adapters.process.java import LOCALE, memory

JavaError: type[Exception] = jpype.JException
"""The type of an exception of Java; its text begins with its class."""


def start_jvm(jars: Path, folder: Path, heap_mb: int, *options: str) -> None:
    """Start the JVM with these jars and a heap of `heap_mb` MiB. `jpype.JVMNotFoundException` if this machine has none.

    The crash log of the JVM goes to the folder.
    """
    options = (*options, f"-XX:ErrorFile={folder}/jvm-crash.log")
    classpath = [str(jar) for jar in sorted(jars.glob("*.jar"))]
    jpype.startJVM(*memory(heap_mb), *LOCALE, *options, classpath=classpath, convertStrings=True)


def java_class(name: str) -> Any:
    """A class, which is called as its constructor."""
    return jpype.JClass(name)


def see_jars() -> None:
    """Let code on this thread find classes of the jars, where it uses the thread's class loader."""
    jpype.java.lang.Thread.currentThread().setContextClassLoader(jpype.java.lang.ClassLoader.getSystemClassLoader())


def zeros(count: int) -> Any:
    """An array of `count` zero bytes."""
    return jpype.JArray(jpype.JByte)(count)


def java_bytes(data: bytes) -> Any:
    """An array of these bytes."""
    return jpype.JArray(jpype.JByte)(data)


def java_byte(value: int) -> Any:
    """A byte, since JPype takes a whole number for an `int`."""
    return jpype.JByte(value)


def locked(monitor: Any) -> AbstractContextManager[None]:
    """A block that holds a monitor, as `synchronized` of Java does."""
    held: AbstractContextManager[None] = jpype.synchronized(monitor)
    return held


def hidden(holder: Any, name: str) -> Any:
    """The value of a private field of an object, own or inherited. AttributeError if there is none."""
    kind = holder.getClass()
    while kind is not None:
        for field in kind.getDeclaredFields():
            if field.getName() == name:
                field.setAccessible(True)
                return field.get(holder)
        kind = kind.getSuperclass()
    raise AttributeError(f"{holder.getClass().getName()} has no field {name!r}")


def first_of_type(holder: Any, type_name: str) -> Any:
    """The value of the first field of a type, such as a captured variable of an inner class. AttributeError if none."""
    for field in holder.getClass().getDeclaredFields():
        if field.getType().getName() == type_name:
            field.setAccessible(True)
            return field.get(holder)
    raise AttributeError(f"{holder.getClass().getName()} has no field of type {type_name}")


def stacks(thread_prefix: str) -> dict[str, Sequence[Any]]:
    """The stack of each thread whose name has this prefix."""
    threads = java_class("java.lang.Thread").getAllStackTraces()
    found = {str(entry.getKey().getName()): entry.getValue() for entry in threads.entrySet()}
    return {name: stack for name, stack in found.items() if name.startswith(thread_prefix)}
