"""The JMS client of the Qpid Java broker (AMQP 0-10 and 0-9-1), in watched processes, for any adapter that needs it."""
