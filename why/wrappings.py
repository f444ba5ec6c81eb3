"""The forms of text that logs and tools put in front of a message, each with real output of the tool.

A line is read only if nothing but such forms and times stands in front of its message.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from html import unescape

LEVEL = r"(?:[A-ZÄÖÜÀ-ÞА-ЯЁ]{3,15}|警告|信息|严重|錯誤|错误|情報|エラー|致命的|重大|정보|경고|심각)"
"""A level in capitals, or in Chinese, Japanese or Korean, as Java writes it in the language of the machine."""
BEGINS_A_BLOCK = (
    r"\s*(?:\{(?:noformat|code|quote|panel)(?::[^{}]{0,200})?\}|\[(?:code|quote|pre)(?:=[^\[\]]{0,40})?\]|bq\. )"
)
PATH = r"[\w./\\+@ -]*[\w+@-]\.(?:log|out|txt|err|gz|\d)[\w.-]*?"
"""The path of a file with a usual ending."""


@dataclass(frozen=True)
class Wrapping:
    """A form of text in front of a message: its origin, its pattern, and a piece of real output with `{}` in place of
    the message.

    `first` marks a form that stands only at the beginning of a line.
    """

    whose: str
    pattern: str
    example: str
    first: bool = False

    @property
    def expression(self) -> str:
        """The expression, for a match at a position of a line."""
        return rf"\A(?:{self.pattern})" if self.first else self.pattern

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(self.expression)


WRAPPINGS = (
    Wrapping(
        "a host and a process of Quarkus",
        r"(?<=\d[,.]\d{3} )[\w.-]+ [\w./@+-]+\[\d+\](?= [A-Z]{4,7} )",
        "2026-11-25 10:00:01,123 host1 /usr/bin/java[812] WARN  [org.apache.activemq] (main) {}",
    ),
    Wrapping(
        "a program between a time and a level",
        r"(?<=[\dZ\]] )[a-z][\w.-]{1,40} +(?=\[?(?:INFO|WARN(?:ING)?|ERROR)\b)",
        "[10:00:01] rabbitmq WARN {}",
    ),
    Wrapping(
        "the level and the process of Celery behind its time",
        r"(?<=\d[,.]\d{3}): (?:[A-Z]{4,8}/)?[\w-]{1,60}\]",
        "[2026-11-25 10:00:01,123: WARNING/ForkPoolWorker-1] {}",
    ),
    Wrapping("what a page left out", r"\s*(?:\.{3,}|…)\s*", "... {}", first=True),
    Wrapping(
        "the rest of a time",
        rf"[-\dT:.,]{{2,22}}(?:Z|[+-]\d\d:?\d\d)?"
        rf"(?=\s+(?:(?:\|\s+|\[[^\]]{{1,80}}\]\s+)?{LEVEL}\s|\[(?:info|warning|error)\] <))",
        "27:53,915 WARN  {}",
        first=True,
    ),
    Wrapping("a process of Redis", r"\d+:[MSCX] (?=\d)", "1:M 25 Nov 2026 10:00:01.123 # {}", first=True),
    Wrapping(
        "a label of a page or a ticket, in a list or not",
        r"[\s>•*`-]*(?:\d{1,3}[.)] )?\*{0,2}(?:Error(?: [Mm]essage)?|Message|[Ll]og(?: line)?|Warning|Symptom|Output|"
        r"Reason|Cause)\*{0,2}:\*{0,2}\s",
        "- **Error**: {}",
        first=True,
    ),
    Wrapping(
        "a machine of a NixOS test", r"[a-z]\w{0,40} # (?=\[)", "machine # [   32.515528] mq[799]: {}", first=True
    ),
    Wrapping("a header of a STOMP frame", r"message:\Z", "message:{}", first=True),
    Wrapping(
        "a link that the other end closed, by Proton",
        r"(?:sender|receiver) \S{1,200} (?:to|from) \S{1,200} closed due to: ",
        "proton._utils.LinkDetached: sender jobs-1 to jobs closed due to: {}",
    ),
    Wrapping(
        "a block of a wiki, a tracker or a forum",
        BEGINS_A_BLOCK,
        "{code:title=broker.log}{}",
        first=True,
    ),
    Wrapping("a numbered list", r"\s*\d{1,3}[.)] +(?!\d)", "2. {}", first=True),
    Wrapping(
        "Ruby's logger", r"[DIWEF], \[\S{1,40} #\d+\]", "W, [2026-11-25T10:00:01.123456 #812]  WARN -- : {}", first=True
    ),
    Wrapping(
        "klog",
        r"[IWEF]\d{4} (?=\d\d:)",
        "W1125 10:00:01.123456     812 producer.go:12] {}",
        first=True,
    ),
    Wrapping("klog's place", r"\d+ [\w.-]+:\d+\]", "W1125 10:00:01.123456     812 producer.go:12] {}"),
    Wrapping(
        "WebSphere and Liberty",
        r"[0-9a-f]{8} \S{1,60}\s+[A-Z](?=\s)",
        "[11/25/26 10:00:01:123 CET] 0000001a SystemOut     O {}",
    ),
    Wrapping("a dyno of Heroku", r"[a-z][\w-]*\[[\w.-]+\]: ", "2026-11-25T10:00:01.123456+00:00 app[web.1]: {}"),
    Wrapping("a quotation", r"\s*[\"'“„«]+(?!\w+\"\s*:)", "'{}", first=True),
    Wrapping("space", r"\s+", "  {}"),
    Wrapping(
        "the place of an exception that nobody rescued in Ruby",
        r"[\w./@+-]{1,300}\.rb:\d{1,7}:in '[^`']{1,200}': ",
        "/app/lib/sender.rb:12:in 'Sender#publish': {}",
        first=True,
    ),
    Wrapping(
        "grep -H, with and without -n and -C",
        rf"(?:[A-Za-z]:)?{PATH}(?::(?:\d+:)?|-\d+-(?=\D|\d{{4}}-)|-(?=\d{{4}}-))",
        "logs/broker-1.log:12:{}",
        first=True,
    ),
    Wrapping(
        "grep -Hn of a file without an ending", r"[\w./+@-]+(?::\d+:|-\d+-)(?!\d\d:)", "messages:12:{}", first=True
    ),
    Wrapping(
        "grep -n, the lines around it with -C", r"\d+(?::(?!\d\d:)|-(?!\d\d[:-]|[A-Z][a-z]{2} ))", "12:{}", first=True
    ),
    Wrapping("cat -n", r"\d+\t", "   12\t{}"),
    Wrapping("log4j 1 in ms since the start", r"\d+(?=\s)", "3271 [main] WARN  {}"),
    Wrapping("kubectl logs --prefix", r"\[pod/[\w.-]+/[\w.-]+\]", "[pod/broker-ss-0/broker] {}", first=True),
    Wrapping(
        "stern",
        r"[a-z0-9][a-z0-9.-]*-[a-z0-9.-]*[a-z0-9] [a-z0-9][a-z0-9-]*(?: ›)? (?=\[?\d|[A-Z])",
        "broker-ss-0 broker 2026-11-25 10:00:01,123 {}",
        first=True,
    ),
    Wrapping(
        "the name of a pod in front of a time",
        r"[a-z0-9][a-z0-9.-]*-[a-z0-9.-]*[a-z0-9] (?=\d{4}-\d\d-)",
        "mq-0 2026-11-25T10:00:01.123456789Z {}",
        first=True,
    ),
    Wrapping(
        "a probe of Kubernetes, alone or in an event",
        r"(?:[\w .,:()/@-]{0,160}\s)?(?:Readiness|Liveness|Startup) probe (?:failed|errored): ",
        "Warning  Unhealthy  2m (x9 over 5m)  kubelet, node1  Readiness probe failed: {}",
        first=True,
    ),
    Wrapping(
        "a connection of NATS, and the name and library of its client",
        r"\S{1,100}:\d{1,5} - (?:w?m?cid|rid|gid|lid):\d+ - (?:\"[^\"]{1,200}\" - )?",
        '[7] 2026/11/25 10:00:00.000000 [INF] 10.0.0.9:4000 - cid:7 - "v1.31.0:go:till" - {}',
    ),
    Wrapping(
        "a client of EMQX 4",
        r"(?:<<\"[^\"]{1,200}\">>|[\w/.:-]{1,200})@[\d.]{7,15}:\d{1,5} \[\w+\] ",
        "2026-11-25T10:00:01.123456+01:00 [warning] till@10.0.0.9:4000 [Session] {}",
    ),
    Wrapping(
        "fields of EMQX 5 in front of its message",
        r"(?:line: \d+, |(?:tag|clientid|mfa|pid|peername|topic|username|trace_tag): [^,]{1,200}, )+",
        "2026-11-25T10:00:01.123456+01:00 [warning] tag: MQTT, clientid: till, {}",
    ),
    Wrapping(
        "a channel that RabbitMQ closed, by its log and by a client",
        r"(?:(?:Channel error on|Error on AMQP) connection .{1,300}?, channel \d+:?\s+)?"
        r"operation \S+ caused a (?:channel|connection) exception \w+: "
        r"|(?:channel|connection) error; protocol method: #method<\w+\.close>\(reply-code=\d+, reply-text="
        r"|(?:\w{1,60}(?:Failed|Error|Exception))?\(\d{3}, ['\"]",
        "Channel error on connection <0.8.0> (10.0.0.9:4000 -> 10.0.0.1:5672, vhost: '/', user: 'shop'), channel 1: "
        "operation none caused a channel exception precondition_failed: {}",
    ),
    Wrapping(
        "columns of a collector in front of a day",
        r"(?:[^\s\",;|]{1,80}[;\t]){1,8}(?=\"?\d{4}-\d\d-\d\d[T ]\d\d:)",
        "prod;mq1;local0.warning;2026-11-20T10:02:03+01:00;artemis[812];{}",
        first=True,
    ),
    Wrapping(
        "an event of Windows in XML",
        r"<Event [^\n]{0,1500}?<Data(?: Name='?\"?\w{1,40}'?\"?)?>",
        "<Event xmlns='http://example.org'><System><EventID>1</EventID></System><EventData><Data>{}",
        first=True,
    ),
    Wrapping("redis-cli", r"(?:\d+\) )?\(error\) ", "(error) {}", first=True),
    Wrapping("container runtimes (CRI)", r"(?:stdout|stderr) [FP](?= )", "2026-11-25T10:00:01.123456789Z stdout F {}"),
    Wrapping("docker compose and swarm, and the service wrapper", r"(?:[\w.@-]+|jvm \d+)\s*\|", "broker-1  | {}"),
    Wrapping(
        "journald and syslog",
        r"[\w.-]+ +[\w./@-]+\[\d+\]: ",
        "Nov 25 10:00:01 mq1.example.com artemis[812]: {}",
    ),
    Wrapping(
        "syslog without the number of a process",
        r"(?<=[A-Z][a-z]{2} [\d ]\d \d\d:\d\d:\d\d )[\w.-]+ +[\w./@-]+: ",
        "Nov 25 10:00:01 mq1 artemis: {}",
    ),
    Wrapping("journald -o short-monotonic", r"\[\s*\d+\.\d+\]", "[11341.123456] mq1 artemis[812]: {}", first=True),
    Wrapping("journald -o export", r"MESSAGE=", "MESSAGE={}", first=True),
    Wrapping(
        "journald -o export, a message with colours",
        r"[^\x00]{1,4}\x00{4,7}",
        "\x24\x01\x00\x00\x00\x00\x00\x00{}",
        first=True,
    ),
    Wrapping(
        "syslog of RFC 5424",
        r"<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[[^\[\]]{0,300}\])+)",
        "<28>1 2026-11-25T10:00:01.123Z mq1 artemis 812 - - {}",
        first=True,
    ),
    Wrapping("syslog of RFC 3164", r"<\d{1,3}>", "<28>Nov 25 10:00:01 mq1 artemis[812]: {}", first=True),
    Wrapping("log4j's day of the month", r"\d{1,2}-[A-Z][a-z]{2}(?= )", "25-Nov {}"),
    Wrapping(
        "a level and a logger of Serilog",
        r"(?:VRB|DBG|INF|WRN|ERR|FTL)(?: [\w.`+]{1,120})?\] ",
        "[10:00:01 WRN] {}",
    ),
    Wrapping(
        "a level and a module of Flask",
        r"(?:INFO|WARNING|ERROR|CRITICAL) in [\w.]{1,60}: ",
        "[2026-11-25 10:00:01,123] WARNING in pub: {}",
    ),
    Wrapping(
        "a module of Rust", r"[a-z]\w{1,60}(?:::\w{1,60}){1,6}: ", "2026-11-25T10:00:01.123Z  WARN lapin::channel: {}"
    ),
    Wrapping("a level", rf"[<|]?{LEVEL}[>|]?(?=[\s:|,\[(]|\d{{4}}-|$):?", "WARNUNG: {}"),
    Wrapping(
        "a level of RabbitMQ or nginx",
        r"[<\[](?:debug|info|notice|warning|warn|error|critical)[>\]]:?",
        "[warning] {}",
    ),
    Wrapping(
        "a level in small letters",
        r"(?:trace|debug|info|notice|warn|warning|error|Warn|Warning|Error|Info)(?=[\s:|]):?",
        "warn: {}",
    ),
    Wrapping(
        "thread, logger or context in brackets",
        r"\[[^\[\]]{0,300}(?:\[[^\[\]]{0,100}\][^\[\]]{0,100})?\]",
        "[Thread-0 (ActiveMQ-remoting-threads)] {}",
    ),
    Wrapping("a thread of WildFly", r"\([^()]{0,200}(?:\([^()]{0,100}\)[^()]{0,100})?\)", "(default task-1) {}"),
    Wrapping("a context in braces", r"\{[^{}]{0,200}\}", "{traceId=1} {}"),
    Wrapping("a process of Erlang", r"<\d+\.\d+\.\d+>", "<0.190.0> {}"),
    Wrapping(
        "a chained or thrown exception",
        r"(?:Caused by: |Exception in thread \"[^\"]{1,100}\" |Caused by |Suppressed: |\.\.\. \d+ more)",
        "Caused by: {}",
    ),
    Wrapping(
        "an exception's class",
        r"[\w$]*(?:(?:\.|::|\\{1,2})[\w$]*)*(?:Exception|Error|Timeout|LinkDetached)(?: ?: |$)",
        "java.lang.RuntimeException: {}",
    ),
    Wrapping(
        "a module and a level of the routers Qpid Dispatch and Skupper",
        r"[A-Z_]{3,20} \((?:trace|debug|info|notice|warning|error|critical)\) ",
        "2026-11-25 10:00:01.123456 +0000 ROUTER_CORE (info) {}",
    ),
    Wrapping("a panic of Go", r"panic: ", "panic: {}", first=True),
    Wrapping("the module debug of Node.js", r"(?:rhea|amqp\w*):\w+(?::\w+)? ", "rhea:flow {}"),
    Wrapping("the logger of go-rabbitmq", r"gorabbit (?=[A-Z]{4,5}: )", "2026/11/25 10:00:01 gorabbit WARN: {}"),
    Wrapping(
        "what qpidd says of an error that ended a session or a command",
        r"(?:Execution exception|Unexpected exception): ",
        "2013-02-05 15:47:51 [Broker] error Execution exception: {}",
    ),
    Wrapping("an exception that nobody caught in .NET", r"Unhandled [Ee]xception[:.] ", "Unhandled exception. {}"),
    Wrapping(
        "an exception that nobody caught in PHP",
        r"(?:PHP )?(?:Fatal|Recoverable fatal) error: {1,2}Uncaught ",
        "PHP Fatal error:  Uncaught {}",
    ),
    Wrapping("an error that Node.js prints", r"\[(?=\w{0,60}Error: )", "[Error: {}"),
    Wrapping(
        "a frame of AMQP 1.0 with an error",
        r"(?:\[[^\[\]]{1,80}\](?:: ?(?:AMQP:)?(?:FRAME:)?\d{0,5})? )?(?:<-|->|RECV:?|SENT:?|RX|TX) @?"
        r"(?:[dD]isposition|[dD]etach|(?i:end)|[cC]lose)\b.{0,300}?\berror[=:] ?@?[eE]rror(?:\(29\) )?[\[({]",
        '[0x55d0]: AMQP:FRAME:0 <- @detach(22) [handle=0, error=@error(29) [condition=:"amqp:resource-limit-exceeded", '
        'description="{}',
    ),
    Wrapping(
        "a condition of AMQP",
        r"(?:[Cc]ondition(?:\(| ?[:=]) ?)?:?['\"]?amqp:resource-limit-exceeded['\"]?[,:;]? ?"
        r"(?:(?:[Dd]escription|[Ii]nfo) ?[:=] ?)?['\"]?",
        "amqp:resource-limit-exceeded: {}",
    ),
    Wrapping(
        "an exception that Spring nested",
        r"[\w ,.:'()\[\]=-]{0,300}; nested exception is ",
        "org.springframework.jms.UncategorizedJmsException: Uncategorized exception; nested exception is {}",
    ),
    Wrapping(
        "an exchange that Camel shows",
        r"(?:[\w.-]+: )?Exchange\[.{0,1000}?CaughtExceptionMessage: ",
        "ERROR [route-1] Exchange[Id: 1, ExchangePattern: InOnly, CaughtExceptionMessage: {}",
    ),
    Wrapping(
        "a delivery that Camel gave up",
        r"Failed delivery for \(MessageId: [^()]{1,200}\)\. Exhausted after delivery attempt: \d+ caught: ",
        "Failed delivery for (MessageId: 7 on ExchangeId: 8). Exhausted after delivery attempt: 1 caught: {}",
    ),
    Wrapping(
        "an exception of Artemis",
        r"[\w$.]+Exception\[(?:errorType|errorCode)=\w+ message=",
        "org.apache.activemq.artemis.api.core.ActiveMQException[errorType=X message={}",
    ),
    Wrapping(
        "logfmt",
        r"(?:level|time|ts|timestamp|thread|logger|lvl|severity)=(?:\"[^\"]{0,200}\"|\S{1,200})",
        'time=2026-11-25T10:00:01Z level=warning msg="{}',
    ),
    Wrapping(
        "logfmt's message in front of an error of its own",
        r"(?:msg|message)=\"[^\"]{0,300}\"(?=\s)",
        'level=error msg="[Failed to create producer]" error="{}',
    ),
    Wrapping(
        "another field of logfmt",
        r"[A-Za-z][\w.]{1,40}=(?:\"[^\"]{0,200}\"|[^\s\"']{0,199}[^\s\"',:;])(?=\s)",
        'ts=2026-11-25T10:00:01Z caller=pub.go:88 level=warn msg="{}',
    ),
    Wrapping("logfmt's message", r"(?:msg|message|error|err)=\"?", 'msg="{}'),
    Wrapping("zap's error", r"\[(?:error|err)=\"?", '["failed to send"] [error="{}'),
    Wrapping(
        "a line of an Artemis client with the reason of a lost connection",
        r"(?:AM|H)Q212037: Connection failure to .{1,200}? has been detected: ",
        "AMQ212037: Connection failure to mq1/10.0.0.1:61616 has been detected: {}",
    ),
    Wrapping("a JSON record over several lines", r'"(?:message|msg|log|MESSAGE)"\s*:\s*"', '  "message" : "{}'),
    Wrapping(
        "a YAML record over several lines",
        r"\s*(?:- )?(?:message|msg|log|textPayload|MESSAGE|body|line): ['\"]?",
        "textPayload: '{}",
        first=True,
    ),
    Wrapping(
        "XML of log4j or java.util.logging",
        r"<(?:log4j:|log:)?(?:[Mm]essage|throwable)>(?:<!\[CDATA\[)?",
        "<log4j:message><![CDATA[{}",
    ),
    Wrapping(
        "WebLogic, and a tag of a page",
        r"<(?:[^<>]|<[^<>]{1,100}>){0,200}>|<(?=$)",
        "<Nov 25, 2026 10:00:01 AM CET> <Warning> <Stdout> <BEA-000000> <{}",
    ),
    Wrapping("the rest of a class", r"(?:\w+(?:\.|::))+(?=$)", "org.apache.activemq.artemis.{}"),
    Wrapping("a logger", r"[\w$*~-]+(?:\.[\w$*~-]+)+(?:[:@#]\d*)?", "o.a.activemq.artemis.core.server : {}"),
    Wrapping(
        "a class of a broker or of its client, without its package",
        r"(?:BaseDestination|Queue|Topic|Temp(?:Queue|Topic)|TopicSubscription|BrokerService|SystemUsage|"
        r"ManagedRegionBroker|ActiveMQServer|core\.server|server|ActiveMQServerLogger\w*|PagingStoreImpl|RegionBroker|AbstractRegion|TransportConnection|ActiveMQConnection|"
        r"ProducerImpl|HandlerBase|rabbit\w*|AMQSession(?:_0_\d+)?|AMQConnection|AMQChannel|"
        r"BasicMessageProducer(?:_0_\d+)?|FlowControlManager|AndesChannel|CachingConnectionFactory|FailoverTransport|"
        r"ActiveMQ(?:Session|MessageProducer)|AmqpFixedProducer|JmsConnection|ClientProducerCreditsImpl)"
        r"(?::\d+)?\s*(?=- | : |: |\| |\[|Usage\()",
        "INFO  BaseDestination - {}",
    ),
    Wrapping("marks of layouts and mails", r"[-–—|:;,>#*`•·»›→]+", "> {}"),
)
"""In the order in which they are tried."""

MEETS_ANYTHING = re.compile(r"[^|]{1,100}\|")
"""A column of a layout with bars, which may hold spaces; it counts only behind another bar."""
COLOURS = re.compile(r"(?:\x1b|\^\[|#033|\\u001b|\\x1b|\\033)\[[0-9;?]*[A-Za-z]|\x1b\([AB0]|\x1b\][^\x07]{0,200}\x07")
"""Colours of terminals, also where a tool wrote the escape character in other words: `^[`, #033 (rsyslog), \\u001b."""
SHOWN_COLOURS = re.compile(r"\[\d{1,3}(?:;\d{1,3}){0,5}m(?!\])")
"""The rest of a colour on pages that drop the escape character."""
ESCAPES = ("\x1b", "^[[", "033[", "1b[")
"""Each line with colours has one of these."""


def without_colours(line: str) -> str:
    """The line as it reads on a terminal."""
    if any(escape in line for escape in ESCAPES):
        line = COLOURS.sub("", line)
    return SHOWN_COLOURS.sub("", line) if "m" in line and "[" in line else line


WIDTHLESS = dict.fromkeys("\u200b\u200c\u200d\u2060\u200e\u200f\ufeff\u00ad", "")
"""Characters without a width, which pages insert invisibly."""
WRITTEN_OTHERWISE = str.maketrans({**WIDTHLESS, "\u00a0": " ", "\u202f": " ", "‘": "'", "’": "'", "“": '"', "”": '"'})
"""Characters that pages and word processors put in place of the log's own."""
ENTITY = re.compile(r"&(?:lt|gt|quot|amp|nbsp|apos|#\d{2,4}|#x[0-9a-f]{2,4});")
ESCAPED = re.compile(r"\\([_*<>#])")
"""Characters that markdown escapes."""


ESCAPED_QUOTE, QUOTE = '\\"', '"'
TAGS = re.compile(r"(?:</(?:code|pre|span|p|div|td|tr|li|b|i|em|strong|a|font|samp|kbd|tt|blockquote)>|<br ?/?>)+\s*\Z")
"""The tags of a page behind a line."""
ENDS_OF_BLOCKS = re.compile(r"(?:\{(?:noformat|code|quote|panel)\}|\[/(?:code|quote|pre)\])\s*\Z")
"""The mark behind a block of a wiki, a tracker or a forum in one line."""
LOGFMT = re.compile(r"\b(msg|message|error|err)=\"((?:[^\"\\]|\\.)*)\"")
"""A text in logfmt, in which quotation marks are escaped."""


def without_entities(line: str) -> str:
    """The line without the entities of HTML, such as `&quot;`."""
    return unescape(line) if "&" in line and ENTITY.search(line) else line


OF_YAML = re.compile(r"''([^'\n]{1,300})''")
"""A name in quotes within a text that YAML quotes, which doubles them."""


def as_logged(line: str) -> str:
    """The line as the program wrote it, without the changes that a page makes to its characters."""
    if '""' in line and line.startswith('"'):
        line = line.replace('""', '"')  # a row of CSV
    if "''" in line:
        line = OF_YAML.sub(r"'\1'", line)
    if "<" in line:
        line = TAGS.sub("", line)
    if line.rstrip().endswith(("}", "]")):
        line = ENDS_OF_BLOCKS.sub("", line)
    line = without_entities(line)
    if '\\"' in line:
        line = LOGFMT.sub(lambda found: f'{found[1]}="{found[2].replace(ESCAPED_QUOTE, QUOTE)}"', line)
    if "\\" in line:
        line = ESCAPED.sub(r"\1", line)
    return line if line.isascii() else line.translate(WRITTEN_OTHERWISE)


JSON_STRING = re.compile(r'\s*"\w+"\s*:\s*"')
"""A line that is one field of a JSON record over several lines."""
EXPORTED = re.compile(r"MESSAGE=|[^\x00]{1,4}\x00{4}")
"""A message in the export of journald, whose time stands in an earlier line."""
BETWEEN_MATCHES = "--"
"""The text that grep -C puts between lines that do not follow each other."""
