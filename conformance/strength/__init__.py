"""The strength of the suite, measured on brokers with one fault each, made of mechanism, operator and trigger."""
