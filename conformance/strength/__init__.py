"""How strong the suite is: brokers with one fault each, made of mechanism, operator and trigger, and who finds it."""
