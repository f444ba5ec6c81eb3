"""The lines of each broker and client that tell of producers that are blocked, one module for each."""

from tidegate.why.lines import (
    amqp_client,
    andes,
    artemis,
    artemis_client,
    classic,
    kafka_client,
    managed,
    pulsar,
    qpid,
    qpid_client,
    rabbitmq,
    rabbitmq_client,
)

FORMS = (
    *qpid.FORMS,
    *artemis.FORMS,
    *artemis_client.FORMS,
    *amqp_client.FORMS,
    *classic.FORMS,
    *rabbitmq_client.FORMS,
    *rabbitmq.FORMS,
    *andes.FORMS,
    *qpid_client.FORMS,
    *pulsar.FORMS,
    *kafka_client.FORMS,
    *managed.FORMS,
)
"""Every form of a line. The first one that reads a line says what the line means."""
