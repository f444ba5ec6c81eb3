Feature: The memory limit of a destination in ActiveMQ Classic
  A send that finds its destination full waits until there is space again.

  @CLASSIC-MEMORY-1
  Scenario Outline: A queue is full once its messages take its memory limit
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of <held> bytes
    When a producer sends a message of 10 bytes
    Then its send <state>

    Examples:
      | held | state   |
      | 999  | returns |
      | 1000 | waits   |
      | 1001 | waits   |

  @CLASSIC-MEMORY-1
  Scenario: Each of two queues is full by what it holds itself
    Given a queue "first" with a memory limit of 1000 bytes
    And a queue "second" with a memory limit of 1000 bytes
    When a producer of each sends messages of 400 bytes until its sends are held back
    Then each took 3 messages

  @CLASSIC-MEMORY-2
  Scenario: A send to a full queue waits, and its message is not stored meanwhile
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    Then the producer is stopped
    And the queue holds 1000 bytes

  @CLASSIC-MEMORY-3
  Scenario Outline: A send that waits goes through once there is space
    Given a queue with a memory limit of 1000 bytes
    And a producer sent messages of <first> and <second> bytes
    When the producer sends a message of 10 bytes
    Then the producer is stopped
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | second | state   |
      | 1     | 1001   | stopped |
      | 1     | 1000   | stopped |
      | 1     | 999    | free    |

  @CLASSIC-MEMORY-3
  Scenario: A message that had to wait is stored once
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And the first message is consumed
    Then that send has gone through
    And the queue holds 10 bytes

  @CLASSIC-MEMORY-4
  Scenario: A producer whose send waits does not hold back another one on its connection
    Given a queue "full" with a memory limit of 1000 bytes
    And a queue "empty" with a memory limit of 1000 bytes
    And "full" holds a message of 1000 bytes
    And a producer on "line" that sends to "full"
    And another producer on "line" that sends to "empty"
    When the producer sends a message of 10 bytes
    And the other producer sends a message of 10 bytes
    Then the producer is stopped
    And the other producer is free
    And "empty" comes to hold 1 messages

  @CLASSIC-MEMORY-5
  Scenario: Where nothing is configured, a send waits for as long as it takes
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    Then management reads that sends wait where there is no space
    When a producer sends a message of 10 bytes
    And 1000 ms pass
    Then that send still waits

  @CLASSIC-MEMORY-6
  Scenario Outline: Without flow control a full queue takes every message
    Given a queue with a memory limit of 1000 bytes and flow control switched off
    And the queue holds a message of <held> bytes
    When a producer sends a message of 10 bytes
    Then its send returns

    Examples:
      | held |
      | 999  |
      | 1000 |
      | 5000 |

  @CLASSIC-MEMORY-7
  Scenario: With the file cursor, messages that wait need not take memory
    Given a queue with a memory limit of 1000 bytes that keeps waiting messages in a file
    Then the queue may take them all

  @CLASSIC-MEMORY-8
  Scenario: A topic has a memory limit as a queue has
    Given a topic with a memory limit of 1000 bytes
    When a producer sends a message of 1000 bytes
    And the producer sends 1 further messages of 10 bytes
    Then the producer is stopped

  @CLASSIC-MEMORY-9
  Scenario Outline: The memory of all destinations together has a limit too
    Given a broker with a memory limit of 1000 bytes for all messages
    And a queue "orders" with a memory limit of 5000 bytes
    And a queue "audit" with a memory limit of 5000 bytes
    And "audit" holds a message of <held> bytes
    When a producer sends a message of 10 bytes
    Then its send <state>

    Examples:
      | held | state   |
      | 999  | returns |
      | 1000 | waits   |
      | 1001 | waits   |

  @CLASSIC-MEMORY-3
  Scenario: One message that leaves lets every send go for which it makes room
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When 4 producers each send a message of 100 bytes
    And 1 messages are consumed
    Then each of these sends has gone through

  @CLASSIC-MEMORY-9
  Scenario Outline: A send that its queue and the memory of all hold back goes on once both have room
    Given a broker with a memory limit of 2000 bytes for all messages
    And a queue "orders" with a memory limit of 1000 bytes
    And a queue "audit" with a memory limit of 5000 bytes
    And "orders" holds a message of 1000 bytes
    And "audit" holds a message of 2000 bytes
    When a producer sends a message of 10 bytes
    And all messages of the queue "<first>" are consumed
    Then that send still waits
    When all messages of the queue "<last>" are consumed
    Then that send has gone through

    Examples:
      | first  | last   |
      | orders | audit  |
      | audit  | orders |

  @CLASSIC-MEMORY-6
  @needs:changed-limits
  Scenario: Sends that wait go on once flow control is switched off for their queue
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When 2 producers each send a message of 100 bytes
    And flow control is switched off for the queue
    Then each of these sends has gone through
