Feature: Connections of ActiveMQ Classic that producers and consumers share
  Before 5.0 a full destination suspended a whole connection; since then it stops the producer alone.

  @CLASSIC-CONNECTION-1
  Scenario Outline: Before 5.0 a full queue suspends the whole connection of its sender
    Given a queue "full" with a memory limit of 1000 bytes
    And a queue "empty" with a memory limit of 1000 bytes
    And "full" holds a message of 1000 bytes
    And a producer on "line" that sends to "full"
    And another producer on "line" that sends to "empty"
    When the producer sends a message of <size> bytes
    And the other producer sends a message of 10 bytes
    Then the producer is stopped
    And the other producer is stopped
    And "empty" comes to hold 0 messages

    Examples:
      | size |
      | 1    |
      | 10   |

  @CLASSIC-CONNECTION-1
  Scenario: A suspended connection is read again once its queue is not full
    Given a queue "full" with a memory limit of 1000 bytes
    And a queue "empty" with a memory limit of 1000 bytes
    And "full" holds a message of 1000 bytes
    And a producer on "line" that sends to "full"
    And another producer on "line" that sends to "empty"
    When the producer sends a message of 10 bytes
    And the other producer sends a message of 10 bytes
    And all messages of the queue "full" are consumed
    Then the producer is free
    And the other producer is free
    And "empty" comes to hold 1 messages

  @CLASSIC-CONNECTION-1
  Scenario: Before 5.0 a full queue suspends the connection of a producer that waits for no answers, too
    Given a queue "full" with a memory limit of 1000 bytes
    And a queue "empty" with a memory limit of 1000 bytes
    And "full" holds a message of 1000 bytes
    And an asynchronous producer on "line" that sends to "full"
    And another asynchronous producer on "line" that sends to "empty"
    When the producer sends 1 further messages of 10 bytes
    And the other producer sends a message of 10 bytes
    Then "empty" comes to hold 0 messages
    When all messages of the queue "full" are consumed
    Then "empty" comes to hold 1 messages

  @CLASSIC-CONNECTION-1
  Scenario: Each of two full queues suspends the connection of its own producer
    Given a queue "first" with a memory limit of 1000 bytes
    And a queue "second" with a memory limit of 1000 bytes
    When a producer of each sends messages of 400 bytes until its sends are held back
    Then each took at most 3 messages

  @GENERAL-21
  @needs:suspended-connections
  @needs:late-answers
  @needs:asynchronous-sends
  Scenario: No connection is suspended before the queue of its producer is full
    Given a queue "first" with a memory limit of 1000 bytes
    And a queue "second" with a memory limit of 1000 bytes
    When a producer of each sends messages of 400 bytes until its sends are held back
    Then each took 3 messages

  @GENERAL-21
  @needs:suspended-connections
  @needs:late-answers
  @needs:asynchronous-sends
  Scenario Outline: Beside a producer on a suspended connection, every other one is heard, whenever it came
    Given a queue "full" with a memory limit of 1000 bytes
    And a queue "empty" with a memory limit of 1000 bytes
    And "full" holds a message of 1000 bytes
    And a producer on "line" that sends to "full"
    And 4 producers are attached to "empty", the <which> of which is on "line"
    When the producer sends a message of 10 bytes
    And the <which> of them sends a message of 10 bytes
    Then a message of 10 bytes of each but the <which> is accepted, and one of a latecomer

    Examples:
      | which |
      | first |
      | third |

  @CLASSIC-CONNECTION-2
  Scenario: Before 5.0 a producer and a consumer on one connection may wait for each other for ever
    Given a queue with a memory limit of 1000 bytes
    And a producer on "line" that sends to "queue"
    And a consumer on "line" of "queue"
    When the producer sends 1 further messages of 1000 bytes
    And the consumer is handed a message
    And the producer sends 1 further messages of 10 bytes
    And the consumer acknowledges that message
    Then the producer may be left waiting

  @CLASSIC-CONNECTION-2
  Scenario: Before 5.0 a message that nobody waits for may hold up the acknowledgement behind it for ever
    Given a queue with a memory limit of 1000 bytes
    And an asynchronous producer on "line" that sends to "queue"
    And a consumer on "line" of "queue"
    When the producer sends 1 further messages of 1000 bytes
    And the consumer is handed a message
    And the producer sends 1 further messages of 10 bytes
    And the consumer acknowledges that message
    Then the queue may stay at 1000 bytes

  @CLASSIC-CONNECTION-3
  Scenario Outline: A consumer frees the space that a producer on its own connection waits for
    Given a queue with a memory limit of 1000 bytes
    And a producer on "line" that sends to "queue"
    And a consumer on "line" of "queue"
    When the producer sends 1 further messages of <size> bytes
    And the consumer is handed a message
    And the producer sends 1 further messages of 10 bytes
    And the consumer acknowledges that message
    Then the producer is free
    And the queue holds 10 bytes

    Examples:
      | size |
      | 1000 |
      | 1001 |

  @CLASSIC-CONNECTION-3
  @needs:asynchronous-sends
  @needs:producer-window
  Scenario: A consumer is heard beside a producer on its own connection that waits for its window
    Given a queue "queue" with a memory limit of 1000 bytes
    And "queue" holds a message of 1000 bytes
    And an asynchronous producer on "line" with a window of 100 bytes
    And a consumer on "line" of "queue"
    When the consumer is handed a message
    And the producer sends messages of 50 bytes until a send waits
    And the consumer acknowledges that message
    Then the producer is free
