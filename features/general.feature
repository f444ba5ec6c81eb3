Feature: Properties that every flow control owes
  Producers are stopped and released alike, however space was freed, whenever they came and whatever their kind.

  @GENERAL-3
  Scenario Outline: Consumption releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    When everything is consumed
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |
      | 3         |

  @GENERAL-3
  Scenario: Consumption releases a latecomer with those who waited before
    Given a destination that 2 producers fill until none may send
    When a latecomer sends to it until it may not
    And everything is consumed
    Then every producer is free

  @GENERAL-4
  Scenario Outline: A purge releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    When the destination is purged
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-5
  Scenario Outline: A raised limit releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    When its limit is changed to 1000000 bytes
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-5
  Scenario Outline: A limit raised to a thousand times as much releases every producer that waits, whatever it counts
    Given a destination that <producers> producers fill until none may send
    When its limit is changed to 1000 times as much
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-5
  Scenario Outline: The end of a limit releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    When its limit is removed
    Then every producer is free
    And a further message of each producer is accepted

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-5
  @needs:message-limit
  Scenario Outline: The end of a limit in messages releases every producer that waits
    Given a destination with a limit of 3 messages alone
    When <producers> producers send until none may
    Then every producer is stopped
    When its limit in messages is removed
    Then every producer is free
    And a further message of each producer is accepted

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-6
  Scenario: A limit lowered below what is there stops whoever sends next
    Given a destination with a limit of 1000 bytes
    And the producer sent a message of 600 bytes
    When its limit is changed to 500 bytes
    And another producer sends a message of 100 bytes
    Then the other producer is stopped

  @GENERAL-6
  Scenario: A lowered limit is in force for the release as well
    Given a destination that 1 producers fill until none may send
    When its limit is changed to 300 bytes
    And messages are consumed until 400 bytes are left
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-7
  Scenario: A producer that comes to a full destination is stopped by its first message
    Given a destination that 1 producers fill until none may send
    When another producer sends a message of 400 bytes
    Then the other producer is stopped
    When everything is consumed
    Then both are let go

  @GENERAL-8
  Scenario Outline: Once everything is consumed nothing is charged
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of <size> bytes
    When everything is consumed
    Then the destination holds 0 bytes in 0 messages

    Examples:
      | size |
      | 1    |
      | 400  |
      | 499  |

  @GENERAL-8
  @needs:stops-producers
  Scenario: A destination that was emptied takes as many messages as a new one
    Given a destination that 1 producers fill until none may send
    When everything is consumed
    And the producer fills the destination again
    Then it took as many messages as before

  @GENERAL-8
  @needs:purge
  Scenario: What a consumer holds while the destination is purged is given back once
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages
    And the destination is purged
    And the consumer acknowledges them, the last one first
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  Scenario: Messages that were acknowledged in another order are charged no longer
    Given a destination with a limit of 1000 bytes
    And a producer sent messages of 100 and 700 bytes
    When a consumer takes all messages
    And the consumer acknowledges them, the last one first
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  Scenario: After many messages nothing is charged either
    Given a destination with a limit of 1000 bytes
    And the producer sent 120 messages of 5 bytes
    When everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-9
  Scenario: When a stopped producer is closed, the other one waits and is released
    Given a destination that 2 producers fill until none may send
    When the producer is closed
    Then the other producer is stopped
    When everything is consumed
    Then the other producer is free

  @GENERAL-9
  Scenario: What held a producer that was closed holds nobody who comes later
    Given a destination that 1 producers fill until none may send
    When the producer is closed
    And everything is consumed
    And another producer sends a message of 100 bytes
    Then the other producer is free

  @GENERAL-10
  Scenario: When the connection of a stopped producer breaks, the other one waits and is released
    Given a destination that 2 producers fill until none may send
    When the connection of the producer breaks
    Then the other producer is stopped
    When everything is consumed
    Then the other producer is free

  @GENERAL-11
  @each-value-alone
  Scenario: What a closed consumer was handed is charged until another one has it
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages and is closed
    Then the destination holds 800 bytes in 2 messages
    And each accepted message is delivered by the next consumer

  @GENERAL-11
  @needs:stops-producers
  @each-value-alone
  Scenario: What a closed consumer was handed takes space until another one has it
    Given a destination that 1 producers fill until none may send
    When a consumer takes all messages and is closed
    Then the producer is stopped
    And each accepted message is delivered by the next consumer

  @GENERAL-11
  Scenario: What one closed consumer after the other was handed is charged until another one has it
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When 4 consumers, one after the other, take all messages and are closed
    Then the destination holds 800 bytes in 2 messages
    And each accepted message is delivered by the next consumer

  @GENERAL-12
  Scenario: What consumers were handed whose connections break one after the other is charged until another one has it
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When 4 consumers, one after the other, take all messages and lose their connections
    Then the destination holds 800 bytes in 2 messages
    And each accepted message is delivered by the next consumer

  @GENERAL-12
  Scenario: What a consumer was handed whose connection breaks is charged until another one has it
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages and its connection breaks
    Then the destination holds 800 bytes in 2 messages
    And each accepted message is delivered by the next consumer

  @GENERAL-12
  @needs:stops-producers
  Scenario: What a consumer was handed whose connection breaks takes space until another one has it
    Given a destination that 1 producers fill until none may send
    When a consumer takes all messages and its connection breaks
    Then the producer is stopped
    And each accepted message is delivered by the next consumer

  @GENERAL-12
  @needs:shared-connections
  Scenario: What several consumers of a connection that breaks were handed goes back
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When two consumers of one connection take a message each, and it breaks
    Then the destination holds 800 bytes in 2 messages
    And each accepted message is delivered by the next consumer

  @GENERAL-12
  @needs:shared-connections
  Scenario: What a consumer was handed goes back that shared the connection with a producer
    Given a destination with a limit of 1000 bytes
    And a producer on a connection that others share
    And the producer sent 2 messages of 400 bytes
    When a consumer on the producer's connection takes all messages, and it breaks
    Then the destination holds 800 bytes in 2 messages
    And each accepted message is delivered by the next consumer

  @GENERAL-13
  Scenario: A full topic stops its producer, and an empty one lets it go
    Given a topic with a limit of 1000 bytes
    When the producer fills the destination
    Then the producer is stopped
    When everything is consumed
    Then the producer is free
    And each accepted message was delivered once

  @GENERAL-14
  Scenario: A full destination stops a producer that names it with each message, and lets it go
    Given a destination that few messages fill
    When an anonymous producer sends to it until it may not
    Then the producer is stopped
    When everything is consumed
    Then the producer is free
    And each accepted message was delivered once

  @GENERAL-14
  Scenario: A producer that sent elsewhere before is stopped by the destination that it fills
    Given a destination that few messages fill
    And another destination like it
    When an anonymous producer sends a message to the first and to the other until it may not
    Then the producer is stopped
    When everything is consumed at each
    Then a further message of the producer to each is accepted

  @GENERAL-14
  Scenario: A producer that names its destinations goes on at each of them once there is space
    Given a destination that few messages fill
    And another destination like it
    When an anonymous producer sends to each until it may not
    And everything is consumed at each
    Then a further message of the producer to each is accepted

  @GENERAL-15
  Scenario: A full destination stops producers of each protocol, and lets them go
    Given a destination that few messages fill
    When a producer of each protocol sends until it may not
    Then every producer is stopped
    When everything is consumed
    Then every producer is free

  @GENERAL-16
  @needs:stops-producers
  Scenario: Committed messages stop a transacted producer, and their consumption lets it go
    Given a destination that few messages fill
    When a transacted producer commits messages until it may not send
    Then the producer is stopped
    When everything is consumed
    Then the producer is free
    And each accepted message was delivered once

  @GENERAL-16
  Scenario: What is rolled back takes no space and is not delivered
    Given a destination with a limit of 1000 bytes
    When a transacted producer rolls back 2 messages of 400 bytes
    Then the destination holds 0 bytes in 0 messages
    And the producer is free
    And only accepted messages are ever delivered

  @GENERAL-16
  Scenario: What is rolled back, sent again and committed is delivered once
    Given a destination with a limit of 1000 bytes
    When a transacted producer rolls back 2 messages of 400 bytes
    And the producer sends 2 messages of 400 bytes again, and commits them
    Then the destination holds 800 bytes in 2 messages
    And each accepted message was delivered once

  @GENERAL-2
  @needs:transactions
  Scenario: Every message of a transaction that goes past the limit is delivered once
    Given a destination with a limit of 1000 bytes
    When a transacted producer commits 3 messages of 400 bytes together
    Then each accepted message was delivered once

  @GENERAL-2
  @needs:transactions
  @needs:queue-gate
  Scenario: Every message of a transaction that goes on past the limit is delivered once
    Given a destination with a limit of 1000 bytes
    When a transacted producer commits 5 messages of 400 bytes together
    Then each accepted message was delivered once

  @GENERAL-17
  Scenario: A producer stopped by an order too is not released by consumption
    Given a destination that 1 producers fill until none may send
    When management stops the producers of the destination
    And everything is consumed
    Then the producer is stopped
    When management lifts that order
    Then the producer is free

  @GENERAL-17
  Scenario: A producer stopped by a full destination too is not released by the end of an order
    Given a destination that 1 producers fill until none may send
    When management stops the producers of the destination
    And management lifts that order
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-17
  @needs:purge
  Scenario: A producer stopped by an order too is not released by a purge
    Given a destination that 1 producers fill until none may send
    When management stops the producers of the destination
    And the destination is purged
    Then the producer is stopped
    When management lifts that order
    Then the producer is free

  @GENERAL-17
  @needs:changed-limits
  Scenario: A producer stopped by an order too is not released by a raised limit
    Given a destination that 1 producers fill until none may send
    When management stops the producers of the destination
    And its limit is changed to 1000000 bytes
    Then the producer is stopped
    When management lifts that order
    Then the producer is free

  @GENERAL-18
  Scenario Outline: Either of two dimensions stops a producer, and both together let it go
    Given a destination with a limit of <bytes> bytes and of <messages> messages
    When the producer fills the destination
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

    Examples:
      | bytes   | messages |
      | 1000    | 1000000  |
      | 1000000 | 3        |
      | 1000    | 3        |

  @GENERAL-18
  Scenario: A limit in messages stops a producer where there is none in bytes
    Given a destination with a limit of 3 messages alone
    When the producer fills the destination
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-18
  Scenario: What a consumer has in hand counts for the limit in messages
    Given a destination with a limit of 1000000 bytes and of 3 messages
    When the producer fills the destination
    Then the producer is stopped
    When a consumer takes all messages
    And another producer sends a message of 1 bytes
    Then every producer is stopped
    When the consumer acknowledges what it has in hand
    And everything is consumed
    Then every producer is free

  @GENERAL-13
  @needs:message-limit
  Scenario: A limit in messages stops the producer of a topic, too
    Given a topic with a limit of 3 messages alone
    When the producer fills the destination
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-18
  Scenario: Below the limit in messages a latecomer's message is accepted
    Given a destination with a limit of 1000000 bytes and of 3 messages
    When a producer sends 2 messages of 1 bytes
    And another producer sends a message of 1 bytes
    Then the message is accepted

  @GENERAL-18
  Scenario Outline: A latecomer is stopped by its first message past the limit in messages
    Given a destination with a limit of 1000000 bytes and of 3 messages
    And a producer is attached
    When the producer tries to send <count> messages of 1 bytes
    And another producer sends a message of 1 bytes
    Then the other producer is stopped

    Examples:
      | count |
      | 4     |
      | 5     |

  @GENERAL-18
  @needs:amqp-credit
  Scenario Outline: Room in bytes or in messages alone releases nobody
    Given a destination with a limit of 1000 bytes and of 3 messages
    And producers that are attached sent a message each, of <sizes> bytes
    When <count> messages are consumed
    Then the stopped producers are still stopped, and so is a latecomer after a message of 1 byte
    When everything is consumed
    Then every producer is free

    Examples: five messages of 500 bytes are left, or two of 1,100 bytes
      | sizes                            | count |
      | 900, 100, 100, 100, 100 and 100  | 1     |
      | 100, 100, 100 and 1000           | 2     |

  @GENERAL-18
  @needs:queue-gate
  Scenario Outline: Room in bytes or in messages alone releases no channel
    Given a destination with a limit of 1000 bytes and of 3 messages
    And producers that are attached sent a message each, of <sizes> bytes
    When <count> messages are consumed
    Then the stopped producers are still stopped, and so is a latecomer after a message of 1 byte
    When everything is consumed
    Then every producer is free

    Examples: five messages of 500 bytes are left, or two of 1,100 bytes
      | sizes                            | count |
      | 900, 100, 100, 100, 100 and 100  | 1     |
      | 100, 100, 100 and 1000           | 2     |

  @GENERAL-19
  Scenario: A full destination stops nobody who sends elsewhere
    Given a destination that 1 producers fill until none may send
    When a producer of another destination sends a message of 100 bytes
    Then that producer is free
    And the other destination holds 100 bytes

  @GENERAL-20
  Scenario Outline: Whoever goes on sending to a destination with a limit is stopped
    Given a destination that few messages fill
    When <producers> producers send until none may
    Then every producer is stopped

    Examples:
      | producers |
      | 1         |
      | 2         |
      | 3         |

  @GENERAL-20
  Scenario Outline: Messages as small as can be stop their producers as well
    Given a destination that 100 bytes fill
    When <producers> producers send the smallest messages until none may
    Then every producer is stopped

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-8
  @needs:stops-producers
  Scenario: Messages as small as can be give back all that they took
    Given a destination that 100 bytes fill
    When 2 producers send the smallest messages until none may
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-21
  Scenario Outline: A message for which there is room is accepted
    Given a destination with a limit of 1000 bytes
    When a producer sends a message of <size> bytes
    Then the message is accepted

    Examples:
      | size |
      | 1    |
      | 400  |
      | 600  |

  @GENERAL-22
  Scenario: What is consumed below the limit is given back once
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When everything is consumed
    Then no figure was ever below zero

  @GENERAL-22
  @needs:stops-producers
  Scenario: What is consumed is given back once
    Given a destination that 1 producers fill until none may send
    When everything is consumed
    And the producer fills the destination again
    And everything is consumed
    Then no figure was ever below zero

  @GENERAL-20
  @needs:recreated-destinations
  @needs:default-limits
  Scenario: A destination that is created again inherits limits as before
    Given destinations whose limits by default are 1000 bytes
    And a destination without limits of its own
    When it is deleted and created again
    And the producer fills the destination
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-21
  @needs:changed-patterns
  Scenario: A pattern that is lowered holds nobody back whose destination has its own limit
    Given destinations whose limit by their pattern is 5000 bytes
    And a destination with a limit of 1000 bytes
    When the limit of the pattern is lowered to 100 bytes
    And a producer sends a message of 400 bytes
    And another producer sends a message of 100 bytes
    Then the message is accepted

  @GENERAL-20
  @needs:changed-patterns
  Scenario: A pattern that is raised lets nobody pass whose destination has its own limit
    Given destinations whose limit by their pattern is 5000 bytes
    And a destination with a limit of 1000 bytes
    When the limit of the pattern is raised to 1000000 bytes
    And the producer fills the destination
    Then the producer is stopped

  @GENERAL-3
  @needs:shared-connections
  @needs:changed-limits
  Scenario: A consumer on the connection of a stopped producer lets every producer go
    Given a destination that few messages fill
    When a producer on a connection and one on another fill it, and a consumer on the first connection takes all
    Then every producer is stopped
    When the consumer acknowledges what it has in hand
    And everything is consumed
    Then every producer is free
