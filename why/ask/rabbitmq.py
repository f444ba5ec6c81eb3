"""Asks RabbitMQ's management plugin for the alarms of each node and the state of each connection."""

from collections.abc import Mapping
from typing import Any

from tidegate.why.ask.http import Http
from tidegate.why.ask.told import Told
from tidegate.why.lines import rabbitmq as lines
from tidegate.why.notices import NO_FIGURES, Blocked, Cause, Figures, Said

BLOCKED = {"blocked", "blocking"}
CONNECTIONS = "/api/connections?columns=name,user,state,client_properties.connection_name"


def ask(http: Http) -> Told | None:
    """The answer of the cluster; None if there is no RabbitMQ."""
    overview = http.get("/api/overview")
    if not isinstance(overview, dict) or "rabbitmq_version" not in overview:
        return None
    nodes, connections = http.get("/api/nodes") or [], http.get(CONNECTIONS) or []
    queues = overview.get("object_totals", {}).get("queues", 0)
    return of_answers(str(overview["rabbitmq_version"]), nodes, connections, queues)


def of_answers(release: str, nodes: list[dict[str, Any]], connections: list[dict[str, Any]], queues: int = 0) -> Told:
    """The blocked publishers by the state of nodes and connections. An alarm of one node blocks the publishers of all
    nodes."""
    held = [_name(each) for each in connections if each.get("state") in BLOCKED]
    said: list[Said] = []
    for node in nodes:
        for cause, figures in _alarms(node):
            said += [Blocked(cause, str(node.get("name", "")), client, figures) for client in held or [""]]
    if held and not said:
        said += [Blocked(lines.TOLD, "", client) for client in held]
    said += [Blocked(lines.FLOW, "", _name(each)) for each in connections if each.get("state") == "flow"]
    return Told("rabbitmq", release, queues, tuple(said))


def _alarms(node: Mapping[str, Any]) -> list[tuple[Cause, Figures]]:
    found = []
    if node.get("mem_alarm") is True:
        limit = node.get("mem_limit")
        found.append((lines.MEMORY, Figures(node.get("mem_used"), limit, limit)))
    if node.get("disk_free_alarm") is True:
        free, least = node.get("disk_free"), node.get("disk_free_limit")
        if isinstance(free, int) and isinstance(least, int):
            found.append((lines.DISK, lines.disk_figures(free, least)))
        else:
            found.append((lines.DISK, NO_FIGURES))
    return found


def _name(connection: Mapping[str, Any]) -> str:
    named = (connection.get("client_properties") or {}).get("connection_name")
    return f"{named} ({connection.get('name')})" if named else str(connection.get("name", "a connection"))
