"""ActiveMQ Classic: a broker process for each scenario, and one process with a JMS client for all of them."""
