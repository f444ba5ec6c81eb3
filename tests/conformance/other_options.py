"""A part of broken brokers: producers that are opened with options other than those that were asked for."""

from tidegate.adapters.base import DEFAULT_OPTIONS, ProducerOptions


class OtherProducers:
    """Stands before a reference among the bases of a class, which says what `instead_of` options holds."""

    def open_producer(
        self,
        producer: str,
        connection: str,
        destinations: tuple[str, ...],
        options: ProducerOptions = DEFAULT_OPTIONS,
    ) -> None:
        super().open_producer(producer, connection, destinations, self.instead_of(options))  # type: ignore[misc]

    def instead_of(self, options: ProducerOptions) -> ProducerOptions:
        raise NotImplementedError
