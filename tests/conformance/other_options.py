"""A mixin for broken brokers that open producers with other options than those that were asked for."""

from tests.conformance.behind import Behind
from tidegate.adapters.base import DEFAULT_OPTIONS, ProducerOptions


class OtherProducers(Behind):
    """A base class before a reference; `instead_of` of the class gives the options in place of the asked ones."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, self.instead_of(options))

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        raise NotImplementedError
