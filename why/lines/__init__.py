"""The lines of each broker and client that tell of producers that are blocked, one module for each."""

from tidegate.why.lines import (
    amqp_client,
    andes,
    artemis,
    artemis_client,
    artemis_figures,
    classic,
    classic_figures,
    kafka_client,
    managed,
    other_brokers,
    pulsar,
    qpid,
    qpid_client,
    qpidd,
    rabbitmq,
    rabbitmq_client,
    rabbitmq_figures,
    rabbitmq_settings,
)

FORMS = (
    *qpid.FORMS,
    *artemis.FORMS,
    *artemis_client.FORMS,
    *amqp_client.FORMS,
    *artemis_figures.FORMS,
    *classic.FORMS,
    *classic_figures.FORMS,
    *rabbitmq_client.FORMS,
    *rabbitmq_figures.FORMS,
    *rabbitmq.FORMS,
    *andes.FORMS,
    *qpid_client.FORMS,
    *pulsar.FORMS,
    *kafka_client.FORMS,
    *qpidd.FORMS,
    *managed.FORMS,
    *other_brokers.FORMS,
    *rabbitmq_settings.FORMS,
)
"""Every form of a line. The first one that reads a line says what the line means."""
