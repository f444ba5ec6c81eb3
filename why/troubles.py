"""Recognises troubles that keep a program from sending although no limit of a broker is reached, by the words of
systems, of TLS, and of brokers about users.

They are told only if the lines show no limit.
"""

TROUBLES = (
    (
        "a connection is refused, as where the broker is down or listens elsewhere",
        ("onnection refused", "ECONNREFUSED", "actively refused"),
    ),
    (
        "the address of a broker cannot be reached",
        (
            *("UnknownHostException", "No route to host", "ENOTFOUND", "EHOSTUNREACH", "Network is unreachable"),
            *("Name or service not known", "nodename nor servname", "Temporary failure in name resolution"),
            *("no such host", "No such host is known", "connect timed out", "ETIMEDOUT"),
        ),
    ),
    (
        "a user, a password or a right is refused",
        (
            *("ACCESS_REFUSED", "ACCESS-REFUSED", "amqp:unauthorized-access", "NOT_ALLOWED - access"),
            *("password is invalid", "uthentication failed", "uthentication failure", "AMQ229031", "AMQ229032"),
            *("AMQ229213", "AMQ119031", "AMQ119032", "is not authorized to", "PLAIN login refused", "Not authorized"),
        ),
    ),
    (
        "the handshake of TLS fails",
        (
            *("SSLHandshakeException", "PKIX path", "certificate verify failed", "CERTIFICATE_VERIFY_FAILED"),
            *("x509: ", "tls: handshake failure", "TLS handshake error", "certificate has expired"),
        ),
    ),
    (
        "a connection was lost",
        (
            *("Connection reset", "ECONNRESET", "Broken pipe", "EPIPE", "java.io.EOFException", "EndOfStreamException"),
            *("missed heartbeats from client", "connection_closed_abruptly", "No heart beats received"),
        ),
    ),
)
"""Each trouble, with texts one of which is in a line that tells it."""


SIGNS = frozenset(sign for _, signs in TROUBLES for sign in signs)


def trouble(signs: frozenset[str]) -> str:
    """The trouble that a line with these signs tells; empty if it tells none."""
    if signs.isdisjoint(SIGNS):
        return ""
    return next((told for told, of_it in TROUBLES if not signs.isdisjoint(of_it)), "")
