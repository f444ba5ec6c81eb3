Feature: The consumer window of Artemis
  The server sends messages ahead to a consumer's client, as many bytes as its window has room for.

  @ARTEMIS-CONSUMER-1
  Scenario Outline: Messages are sent ahead as long as they fit the window
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends messages of 600 and <size> bytes
    Then the client of the consumer has buffered <count> messages

    Examples:
      | size | count |
      | 399  | 2     |
      | 400  | 2     |
      | 401  | 1     |

  @ARTEMIS-CONSUMER-1
  Scenario: A message larger than the window is not sent ahead, and is handed out when asked for
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends a message of 1001 bytes
    Then the client of the consumer has buffered 0 messages
    And the consumer is handed 1 messages when it takes 2

  @ARTEMIS-CONSUMER-1
  Scenario: The smallest window takes one message of a byte ahead
    Given a queue with room for everything
    And a consumer with a window of 1 bytes
    When a producer sends 3 messages of 1 bytes
    Then the client of the consumer has buffered 1 messages

  @ARTEMIS-CONSUMER-1
  @needs:transactions
  Scenario: Committed messages are sent ahead
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a transacted producer commits 3 messages of 300 bytes together
    Then the client of the consumer has buffered 3 messages

  @ARTEMIS-CONSUMER-2
  Scenario Outline: Unless configured, a window has 1 MiB
    Given a queue with room for everything
    And a consumer that is not configured
    And another consumer with a window of 1048576 real bytes, on a queue of its own
    When a producer of each queue sends messages of 524288, <size> and 524288 real bytes
    Then the clients of both consumers have buffered as many messages

    Examples:
      | size   |
      | 524287 |
      | 524288 |
      | 524289 |

  @ARTEMIS-CONSUMER-3
  Scenario: With a window of -1 everything is sent ahead
    Given a queue with room for everything
    And a consumer with a window of -1 bytes
    When a producer sends 30 messages of 100000 real bytes
    Then the client of the consumer has buffered 30 messages

  @ARTEMIS-CONSUMER-4
  Scenario: With a window of 0 nothing is sent ahead
    Given a queue with room for everything
    And a consumer with a window of 0 bytes
    When a producer sends 3 messages of 1 bytes
    Then the client of the consumer has buffered 0 messages
    And the consumer is handed 3 messages when it takes 4

  @ARTEMIS-CONSUMER-5
  Scenario Outline: A window counts bytes, not messages
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 20 messages of <size> bytes
    Then the client of the consumer has buffered at most <count> messages

    Examples:
      | size | count |
      | 50   | 20    |
      | 100  | 10    |
      | 500  | 2     |

  @ARTEMIS-CONSUMER-6
  Scenario: What the program takes makes room for the next message
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 4 messages of 500 bytes
    Then the client of the consumer has buffered what its window lets it
    And the consumer is handed 1 messages when it takes 1
    And the client of the consumer has buffered as many messages as before
    And the consumer is handed 3 messages when it takes 4
    And the client of the consumer has buffered 0 messages

  @ARTEMIS-CONSUMER-7
  Scenario: Each consumer has a window of its own
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 8 messages of 500 bytes
    Then the client of the consumer has buffered what its window lets it
    When another consumer with a window of 1000 bytes is attached
    Then the clients of both consumers have buffered as many messages

  @ARTEMIS-CONSUMER-8
  Scenario Outline: Messages are sent ahead in turn to those with room
    Given a queue with room for everything
    And a consumer with a window of <window> bytes
    And another consumer with a window of 1000 bytes
    When a producer sends 6 messages of 100 bytes
    Then the client of the consumer has buffered <first> messages
    And the client of the other consumer has buffered <second> messages

    Examples:
      | window | first | second |
      | 1000   | 3     | 3      |
      | 100    | 1     | 5      |
      | 0      | 0     | 6      |

  @ARTEMIS-CONSUMER-9
  Scenario: What a slow consumer has buffered a fast one cannot have
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    And the producer sent 3 messages of 100 bytes
    And another consumer with a window of 1000 bytes
    Then the other consumer is handed 0 messages when it takes 1
    And the consumer is handed 3 messages when it takes 3

  @ARTEMIS-CONSUMER-10
  Scenario: With a window of 0 a fast consumer has what a slow one leaves
    Given a queue with room for everything
    And a consumer with a window of 0 bytes
    And another consumer with a window of 0 bytes
    When a producer sends 3 messages of 100 bytes
    Then the other consumer is handed 2 messages when it takes 2
    And the consumer is handed 1 messages when it takes 1

  @ARTEMIS-CONSUMER-11
  Scenario: A client never has more buffered than its window
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends messages of 600 and 401 bytes
    Then the client of the consumer has buffered at most 1 messages

  @GENERAL-11
  @needs:consumer-window
  Scenario: What the client of a closed consumer has buffered goes to the next one
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 4 messages of 100 bytes
    Then the client of the consumer has buffered what its window lets it
    When the consumer takes 1 message and is closed
    Then the queue holds 400 bytes
    And each accepted message is delivered by the next consumer

  @GENERAL-12
  @needs:consumer-window
  Scenario: What the client of a broken connection has buffered goes to the next consumer
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 4 messages of 100 bytes
    Then the client of the consumer has buffered what its window lets it
    When the consumer takes 1 message and its connection breaks
    Then the queue holds 400 bytes
    And each accepted message is delivered by the next consumer
