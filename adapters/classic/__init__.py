"""ActiveMQ Classic: a broker process for each scenario, to which the clients of one other process connect."""
