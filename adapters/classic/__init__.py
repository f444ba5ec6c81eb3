"""ActiveMQ Classic: a broker process for each scenario, and one other process for all clients."""
