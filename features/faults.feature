Feature: What no fault may take away
  The broker is killed or paused, or a connection is stalled or cut, while producers are stopped.

  @GENERAL-23
  @needs:stops-producers
  Scenario Outline: What was accepted is delivered once after the broker was killed
    Given a broker that keeps its data
    And a destination that <producers> producers fill until none may send
    When the broker is killed and started again
    And everything is consumed
    Then each accepted message was delivered once

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-23
  Scenario: What a consumer was handed is delivered again after the broker was killed
    Given a broker that keeps its data
    And a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages
    And the broker is killed and started again
    Then each accepted message is delivered by the next consumer

  @GENERAL-24
  Scenario: What is there is charged after the broker was killed, and nothing else
    Given a broker that keeps its data
    And a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When the broker is killed and started again
    Then the destination is charged for 2 messages
    When everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-25
  Scenario: A destination that is full after a restart stops who comes to it, and lets go
    Given a broker that keeps its data
    And a destination that 1 producers fill until none may send
    When the broker is killed and started again
    And another producer sends a message of 400 bytes
    Then the other producer is stopped
    When everything is consumed
    Then the other producer is free

  @GENERAL-25
  Scenario: A limit is the same after a restart
    Given a broker that keeps its data
    And a destination that few messages fill
    When the producer fills the destination with messages of 8 bytes
    And everything is consumed
    And the broker is killed and started again
    And another producer fills the destination with messages of 8 bytes
    Then it took as many messages as before

  @GENERAL-26
  Scenario: A pause of the broker releases nobody and loses nobody
    Given a destination that 2 producers fill until none may send
    When the broker is paused for 2000 ms
    Then every producer is stopped
    When everything is consumed
    Then every producer is free
    And each accepted message was delivered once

  @GENERAL-27
  Scenario: While the connection of one stopped producer is stalled, room releases the other, and later both
    Given a destination that 2 producers fill over connections that can be cut
    When the connection of the producer is stalled
    And everything is consumed
    Then the other producer, which can be looked at, is free
    When that connection goes on
    Then every producer is free
    And each accepted message was delivered once

  @GENERAL-28
  Scenario Outline: A message whose connection is cut is stored once or not at all
    Given a destination with a limit of 1000 bytes
    And a producer whose connection can be cut
    When that connection is cut when <part> of a message of 400 bytes has passed
    Then the message is stored once or not at all
    And the destination holds 0 bytes in 0 messages

    Examples:
      | part |
      | half |
      | all  |

  @GENERAL-29
  Scenario Outline: A cut connection leaves a stopped producer as it stood
    Given a destination that few messages fill
    And a producer whose connection can be cut
    When the producer fills the destination
    And that connection is cut when <part> of a message of 400 bytes has passed
    Then the producer is stopped
    When everything is consumed
    Then the producer is free
    And each accepted message was delivered once

    Examples:
      | part |
      | half |
      | all  |

  @GENERAL-38
  Scenario: A stopped producer whose connection management closes is gone
    Given a destination that 2 producers fill until none may send
    When management closes the connection of the producer
    Then the broker has that connection no more
    When everything is consumed
    Then every producer is free

  @GENERAL-38
  @needs:topics
  Scenario: A producer that a topic stops and whose connection management closes is gone
    Given a topic with a limit of 1000 bytes
    When the producer fills the destination
    And management closes the connection of the producer
    Then the broker has that connection no more

  @GENERAL-38
  @needs:transactions
  Scenario: A stopped transacted producer whose connection management closes is gone
    Given a destination that few messages fill
    And another producer fills it
    When a transacted producer sends a message that waits
    And management closes the connection of the producer
    Then the broker has that connection no more
    When everything is consumed
    Then every producer is free

  @GENERAL-38
  @needs:transactions
  @needs:topics
  Scenario: A transacted producer that a topic stops and whose connection management closes is gone
    Given a topic with a limit of 1000 bytes
    And another producer fills it
    When a transacted producer sends a message that waits
    And management closes the connection of the producer
    Then the broker has that connection no more
    When everything is consumed
    Then every producer is free

  @GENERAL-38
  @needs:asynchronous-sends
  Scenario: A stopped asynchronous producer whose connection management closes is gone
    Given a destination that few messages fill
    And another producer fills it
    When an asynchronous producer sends a message that waits
    And management closes the connection of the producer
    Then the broker has that connection no more
    When everything is consumed
    Then every producer is free

  @GENERAL-38
  @needs:transactions
  @needs:default-sends
  Scenario: A transacted producer of default settings whose connection management closes is gone
    Given a destination that few messages fill
    And another producer fills it
    When a transacted, unconfigured producer sends a message that waits
    And management closes the connection of the producer
    Then the broker has that connection no more
    When everything is consumed
    Then every producer is free

  @GENERAL-38
  @needs:transactions
  @needs:default-sends
  @needs:topics
  Scenario: A transacted producer of default settings that a topic stops is gone when management closes its connection
    Given a topic with a limit of 1000 bytes
    And another producer fills it
    When a transacted, unconfigured producer sends a message that waits
    And management closes the connection of the producer
    Then the broker has that connection no more
    When everything is consumed
    Then every producer is free
