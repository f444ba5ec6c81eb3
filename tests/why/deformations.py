"""What tools, pages and people make of a line of a log: the same answer is due for each."""

import html
import json
import re
import textwrap
from collections.abc import Callable

Deformation = Callable[[str], str]


def _time_of(line: str) -> str:
    return line[:23] if re.match(r"\d{4}-", line) else "2026-11-26 10:00:01,345"


def _level_of(line: str) -> str:
    found = re.search(r"\b(INFO|WARN(?:ING)?|ERROR)\b", line)
    return found[0] if found else "WARN"


def _message_of(line: str) -> str:
    return re.sub(r"^\d{4}-\S+(?: \S+?:\S+)? ?(?:[A-Z]+ +)?(?:\[[^\]]*\] )?(?:\([\w.]+\) - )?", "", line)


OTHERS = [f"2026-11-26 09:{i % 60:02}:01,345 INFO  [org.shop.Till] (main) order {i} stored in 7 ms" for i in range(100)]


def _record(**fields: object) -> str:
    return json.dumps(fields, ensure_ascii=False)


def _csv(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _wrapped(width: int, mark: str = "") -> Deformation:
    return lambda line: "\n".join(
        mark + each for each in textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False)
    )


DEFORMATIONS: dict[str, Deformation] = {
    "as it is": lambda line: line,
    # collectors, and what shows their logs
    "docker": lambda line: f"2026-11-26T10:00:01.345678901Z {line}",
    "docker compose": lambda line: f"broker-1  | {line}",
    "docker swarm": lambda line: f"shop_broker.1.0a1b2c3d@host1    | {line}",
    "docker json-file": lambda line: _record(log=line + "\n", stream="stdout", time="2026-11-26T10:00:01.345678901Z"),
    "kubelet": lambda line: f"2026-11-26T10:00:01.345678901Z stdout F {line}",
    "kubectl --prefix": lambda line: f"[pod/broker-0/broker] {line}",
    "stern": lambda line: f"broker-0 broker {line}",
    "journald": lambda line: f"Nov 26 10:00:01 host1 broker[812]: {line}",
    "journald in German": lambda line: f"Nov 26 10:00:01 host1 artemis[812]: {line}",
    "journald with year": lambda line: f"Thu 2026-11-26 10:00:01 UTC host1 java[812]: {line}",
    "syslog 5424": lambda line: f"<134>1 2026-11-26T10:00:01.345Z host1 broker 812 - - {line}",
    "rsyslog": lambda line: f"2026-11-26T10:00:01.345678+01:00 host1 broker[812]: {line}",
    "Loki": lambda line: _record(line=line, timestamp="1795687201345000000", fields={"app": "broker", "pod": "b-0"}),
    "Loki, streams": lambda line: _record(stream={"app": "broker"}, values=[["1795687201345000000", line]]),
    "Grafana text": lambda line: f"2026-11-26 10:00:01.345\t{line}",
    "Splunk JSON": lambda line: _record(preview=False, result={"_time": "2026-11-26 10:00:01.345", "_raw": line}),
    "Splunk CSV": lambda line: "_time,host,_raw\n2026-11-26T10:00:01.345+0000,host1," + _csv(line),
    "Datadog CSV": lambda line: "Date,Host,Service,Message\n" + ",".join(
        map(_csv, ("2026-11-26T10:00:01.345Z", "host1", "broker", line))
    ),
    "CloudWatch": lambda line: f"2026-11-26T10:00:01.345Z broker/broker/0a1b {line}",
    "CloudWatch JSON": lambda line: _record(timestamp=1795687201345, message=line, ingestionTime=1795687201999),
    "CloudWatch CSV": lambda line: "timestamp,message\n1795687201345," + _csv(line),
    "Google": lambda line: _record(textPayload=line, timestamp="2026-11-26T10:00:01.345Z", severity="WARNING"),
    "Azure": lambda line: _record(TimeGenerated="2026-11-26T10:00:01.345Z", LogEntry=line, ContainerID="0a1b"),
    "Elastic": lambda line: _record(_index="logs", _source={"@timestamp": "2026-11-26T10:00:01.345Z", "message": line}),
    # layouts of JSON
    "ECS": lambda line: _record(
        **{"@timestamp": "2026-11-26T10:00:01.345Z", "log.level": _level_of(line), "message": _message_of(line),
           "ecs.version": "1.2.0"}
    ),
    "Logstash": lambda line: _record(
        **{"@timestamp": "2026-11-26T10:00:01.345Z", "@version": "1", "message": _message_of(line),
           "level": _level_of(line), "thread_name": "main"}
    ),
    "GELF": lambda line: _record(
        version="1.1", host="host1", short_message=_message_of(line), timestamp=1795687201.345, level=4
    ),
    "zap": lambda line: _record(level="warn", ts=1795687201.345, logger="shop", msg=_message_of(line)),
    "CSV without names": lambda line: ",".join(map(_csv, ("2026-11-26T10:00:01.345Z", "broker", _message_of(line)))),
    "columns of tabs": lambda line: f"2026-11-26T10:00:01.345Z\tbroker-0\twarn\t{_message_of(line)}",
    "an event of Windows": lambda line: f"Warning\t2026-11-26 10:00:01\tbroker\t1\tNone\t{_message_of(line)}",
    "logfmt": lambda line: f"time=2026-11-26T10:00:01.345Z level=warn msg={json.dumps(_message_of(line))}",
    "escaped ends": lambda line: f"{line}\\n",
    "escaped ends of several": lambda line: f"first line\\n{line}\\nlast line\\n",
    "a string of JSON": lambda line: json.dumps(f"{line}\n"),
    # pages
    "a quotation": lambda line: f"> {line}",
    "a quotation of one": lambda line: f">> {line}",
    "a bullet": lambda line: f"* {line}",
    "a dash": lambda line: f"- {line}",
    "a number": lambda line: f"1. {line}",
    "backticks": lambda line: f"`{line}`",
    "a fence": lambda line: f"```\n{line}\n```",
    "a fence with a name": lambda line: f"```log\n{line}\n```",
    "an indent": lambda line: f"    {line}",
    "a row of a table": lambda line: f"| {line} |",
    "bold": lambda line: f"**{line}**",
    "Jira": lambda line: f"{{noformat}}\n{line}\n{{noformat}}",
    "HTML": lambda line: html.escape(line),
    "HTML, pre": lambda line: f"<pre>{html.escape(line)}</pre>",
    "HTML, spans": lambda line: f'<span class="line">{html.escape(line)}</span>',
    "HTML, pre and code": lambda line: f"<pre><code>{html.escape(line)}</code></pre>",
    "HTML, breaks": lambda line: f"{html.escape(line)}<br>",
    "smart quotes": lambda line: re.sub(r"'([^']*)'", "\u2018\\1\u2019", re.sub(r'"([^"]*)"', "\u201c\\1\u201d", line)),
    "no-break spaces": lambda line: line.replace(" ", "\u00a0"),
    "escaped underscores": lambda line: line.replace("_", "\\_"),
    "quotation marks": lambda line: f'"{line}"',
    "guillemets": lambda line: f"\u00ab{line}\u00bb",
    "a sentence in front": lambda line: f"The broker's log has this:\n\n{line}\n\nWhat does it mean?",
    "lines of another program around": lambda line: "\n".join([*OTHERS, line, *OTHERS]),
    # terminals and editors
    "colours": lambda line: f"\x1b[33m{line}\x1b[0m",
    "colours without escapes": lambda line: f"[33m{line}[0m",
    "Windows": lambda line: f"{line}\r\n",
    "old Macintosh": lambda line: f"first\r{line}\rlast",
    "tabs": lambda line: re.sub(r" {2,}", "\t", line),
    "blanks at the end": lambda line: f"{line}   \t",
    "one blank each": lambda line: re.sub(r" {2,}", " ", line),
    "a byte order mark": lambda line: f"\ufeff{line}",
    "zero-width": lambda line: f"\u200b{line}",
    "grep -n": lambda line: f"812:{line}",
    "grep -H": lambda line: f"/var/log/broker.log:{line}",
    "cat -n": lambda line: f"   812\t{line}",
    "less -N": lambda line: f"    812 {line}",
    "tail": lambda line: f"==> broker.log <==\n{line}",
    "zgrep": lambda line: f"broker.log.3.gz:812:{line}",
    "wrapped at 72": _wrapped(72),
    "wrapped at 80": _wrapped(80),
    "wrapped at 120": _wrapped(120),
    "wrapped by a mail": _wrapped(72, "> "),
    "wrapped within words": lambda line: "\n".join(line[at : at + 100] for at in range(0, len(line), 100)),
    # what is left or added
    "without a time": _message_of,
    "cut at the start": lambda line: line[9:],
    "cut in the time": lambda line: line[14:],
    "three dots in front": lambda line: f"... {_message_of(line)}",
    "three dots behind": lambda line: f"{line} ...",
    "a comma behind": lambda line: f"{line},",
    "a stack in one line": lambda line: f"{line} at org.shop.Till.send(Till.java:7) at org.shop.Till.run(Till.java:9)",
    "twice": lambda line: f"{line}\n{line}",
    # languages
    "German level": lambda line: re.sub(r"\b(WARN(?:ING)?|INFO)\b", "WARNUNG", line, count=1),
    "French level": lambda line: re.sub(r"\b(WARN(?:ING)?|INFO)\b", "AVERTISSEMENT", line, count=1),
    "Chinese level": lambda line: re.sub(r"\b(WARN(?:ING)?|INFO)\b", "\u8b66\u544a", line, count=1),
    "Spanish level": lambda line: re.sub(r"\b(WARN(?:ING)?|INFO)\b", "ADVERTENCIA", line, count=1),
    "German date": lambda line: f"26.11.2026 10:00:01,345 {_level_of(line)} {_message_of(line)}",
    "French date": lambda line: f"26/11/2026 10:00:01,345 {_level_of(line)} {_message_of(line)}",
    "Chinese date": lambda line: f"2026\u5e7411\u670826\u65e5 10:00:01 {_level_of(line)} {_message_of(line)}",
    "date of Java in French": lambda line: f"nov. 26, 2026 10:00:01 AM {_message_of(line)}",
    "date of an American": lambda line: f"11/26/2026 10:00:01.345 AM {_level_of(line)} {_message_of(line)}",
    "date with slashes": lambda line: f"2026/11/26 10:00:01.345 {_level_of(line)} {_message_of(line)}",
    "Spring Boot": lambda line: (
        f"2026-11-26T10:00:01.345+01:00  {_level_of(line)} 812 --- [shop] [           main] o.s.Till   : "
        f"{_message_of(line)}"
    ),
    "Quarkus": lambda line: (
        f"2026-11-26 10:00:01,345 host1 java[812] {_level_of(line)}  [org.shop.Till] (main) {_message_of(line)}"
    ),
    "WildFly": lambda line: f"10:00:01,345 {_level_of(line)}  [org.shop.Till] (Thread-0 (x)) {_message_of(line)}",
    "Karaf": lambda line: (
        f"2026-11-26T10:00:01,345 | {_level_of(line)}  | main | Till | 812 - org.shop - 1.0.0 | {_message_of(line)}"
    ),
    "Tomcat": lambda line: f"26-Nov-2026 10:00:01.345 {_level_of(line)} [main] org.shop.Till.send {_message_of(line)}",
    "wrapper": lambda line: f"INFO   | jvm 1    | 2026/11/26 10:00:01 | {line}",
    "Mule": lambda line: (
        f"{_level_of(line)}  2026-11-26 10:00:01,345 [main] [event: ] org.shop.Till: {_message_of(line)}"
    ),
}  # fmt: skip
"""By name, what becomes of a line."""
