Feature: Rates in Artemis
  A consumer is handed at most so many messages in any second, and a producer sends at most so many.

  @ARTEMIS-RATE-1
  Scenario Outline: A consumer is handed as many messages at once as its rate allows
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    When a producer sends 20 messages of 100 bytes
    Then the consumer is handed <count> messages when it takes <times>

    Examples:
      | times | count |
      | 9     | 9     |
      | 10    | 10    |
      | 11    | 10    |

  @ARTEMIS-RATE-1
  Scenario: A consumer with a high rate is handed no more messages at once than that
    Given a queue with room for everything
    And a consumer with a rate of 40 messages per second
    When a producer sends 50 messages of 100 bytes
    Then the consumer is handed 40 messages when it takes 41

  @ARTEMIS-RATE-1
  Scenario: The least rate lets one message pass in a second
    Given a queue with room for everything
    And a consumer with a rate of 1 messages per second
    And the producer sent 5 messages of 100 bytes
    And the consumer asked for a message 1000 ms ago
    Then the consumer is handed 1 messages when it takes 2

  @ARTEMIS-RATE-1
  Scenario: A second is any second, wherever the clock stands
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    And the producer sent 40 messages of 100 bytes
    And the consumer asked for a message 1000 ms ago
    Then the consumer is handed 5 messages when it takes 5
    When 500 ms pass
    Then the consumer is handed 5 messages when it takes 6
    When 600 ms pass
    Then the consumer is handed 5 messages when it takes 6

  @ARTEMIS-RATE-1
  Scenario: Messages that were acknowledged count for the rate, too
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    And the producer sent 30 messages of 100 bytes
    And the consumer asked for a message 1000 ms ago
    Then the consumer is handed 10 messages when it takes 10
    When the consumer acknowledges the others
    Then the consumer is handed 0 messages when it takes 2

  @ARTEMIS-RATE-2
  Scenario Outline: A consumer goes on once a second has passed
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    And the producer sent 30 messages of 100 bytes
    And the consumer asked for a message 1000 ms ago
    Then the consumer is handed 10 messages when it takes 11
    When <passed> ms pass
    Then the consumer is handed <count> messages when it takes 19

    Examples:
      | passed | count |
      | 999    | 0     |
      | 1000   | 10    |
      | 1001   | 10    |

  @ARTEMIS-RATE-2
  Scenario: Messages of the last second count even if it began in the middle of another
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    And the producer sent 40 messages of 100 bytes
    And the consumer asked for a message 1000 ms ago
    Then the consumer is handed 1 messages when it takes 1
    When 500 ms pass
    Then the consumer is handed 9 messages when it takes 10
    When 600 ms pass
    Then the consumer is handed 1 messages when it takes 2

  @ARTEMIS-RATE-3
  Scenario: Unless configured, a consumer has no rate
    Given a queue with room for everything
    And a consumer that is not configured
    When a producer sends 200 messages of 100 bytes
    Then the consumer is handed 200 messages when it takes 200

  @ARTEMIS-RATE-4
  Scenario: With a rate of -1 a consumer has no limit
    Given a queue with room for everything
    And a consumer with a rate of -1 messages per second
    When a producer sends 200 messages of 100 bytes
    Then the consumer is handed 200 messages when it takes 200

  @ARTEMIS-RATE-5
  Scenario: A low rate and a large window fill the buffer
    Given a queue with room for everything
    And a consumer with a window of 10000 bytes and a rate of 1 message per second
    When a producer sends 20 messages of 100 bytes
    Then the client of the consumer has buffered 20 messages

  @ARTEMIS-RATE-6
  Scenario Outline: A rate counts messages, whatever their size
    Given a queue with room for everything
    And a consumer with a rate of 3 messages per second
    And the producer sent 7 messages of <size> bytes
    And the consumer asked for a message 1000 ms ago
    Then the consumer is handed at most 3 messages when it takes 5

    Examples:
      | size |
      | 1    |
      | 5000 |

  @ARTEMIS-RATE-7
  Scenario Outline: A producer sends as many messages at once as its rate allows
    Given a queue with room for everything
    And a producer with a rate of 10 messages per second
    When the producer tries to send <times> messages of 100 bytes
    Then its send <state>
    And the queue comes to hold <count> messages

    Examples:
      | times | state   | count |
      | 9     | returns | 9     |
      | 10    | returns | 10    |
      | 11    | waits   | 10    |

  @ARTEMIS-RATE-7
  Scenario: A producer with a high rate sends no more messages at once than that
    Given a queue with room for everything
    And a producer with a rate of 40 messages per second
    When the producer tries to send 41 messages of 100 bytes
    Then its send waits
    And the queue comes to hold 40 messages

  @ARTEMIS-RATE-7
  Scenario: A producer's second is any second, wherever the clock stands
    Given a queue with room for everything
    And a producer with a rate of 10 messages per second
    When the producer tries to send 5 messages of 100 bytes
    And 500 ms pass
    And the producer tries to send 5 messages of 100 bytes
    And 600 ms pass
    And the producer tries to send 6 messages of 100 bytes
    Then its send waits
    And the queue comes to hold 15 messages

  @ARTEMIS-RATE-7
  Scenario: Each of several producers has a rate of its own
    Given a queue with room for everything
    And producers with rates of 1, 2 and 3 messages per second
    When each of them tries to send 1 message more than its rate
    Then the last message of each waits
    And the queue comes to hold 6 messages

  @ARTEMIS-RATE-7
  @needs:shared-sessions
  Scenario: Each of several producers in one session has a rate of its own
    Given a queue with room for everything
    And producers with rates of 1, 2 and 3 messages per second in one session
    When each of them tries to send 1 message more than its rate
    Then the last message of each waits
    And the queue comes to hold 6 messages

  @ARTEMIS-RATE-8
  Scenario Outline: A producer goes on once a second has passed
    Given a queue with room for everything
    And a producer with a rate of 10 messages per second
    When the producer tries to send 11 messages of 100 bytes
    And <passed> ms pass
    Then that send <state>

    Examples:
      | passed | state            |
      | 999    | still waits      |
      | 1000   | has gone through |
      | 1001   | has gone through |

  @ARTEMIS-RATE-8
  Scenario: Each of several producers goes on once a second has passed, whatever is consumed meanwhile
    Given a queue with room for everything
    And producers with rates of 1, 2 and 3 messages per second
    When each of them tries to send 1 message more than its rate
    And the first message is consumed
    And 1000 ms pass
    Then the last message of each has gone through

  @ARTEMIS-RATE-8
  Scenario: Of the sends of a producer that wait as many go on together as its rate allows
    Given a queue with room for everything
    And a producer with a rate of 10 messages per second
    When the producer tries to send 25 messages of 100 bytes
    And 1000 ms pass
    Then its sends that waited have gone through, 10 of them at most

  @ARTEMIS-RATE-9
  Scenario: Unless configured, a producer has no rate
    Given a queue with room for everything
    When a producer sends 200 messages of 100 bytes
    Then the queue comes to hold 200 messages

  @ARTEMIS-RATE-10
  Scenario: With a rate of -1 a producer has no limit
    Given a queue with room for everything
    And a producer with a rate of -1 messages per second
    When the producer tries to send 200 messages of 100 bytes
    Then its send returns
    And the queue comes to hold 200 messages

  @ARTEMIS-RATE-11
  Scenario: With a rate of 0 a consumer may have no limit
    Given a queue with room for everything
    And a consumer with a rate of 0 messages per second
    When a producer sends 20 messages of 100 bytes
    Then the consumer may be handed 20 messages when it takes 20

  @ARTEMIS-RATE-12
  Scenario: A consumer that asks once too often is handed no more messages than its rate
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    When a producer sends 20 messages of 100 bytes
    Then the consumer is handed at most 10 messages when it takes 11

  @ARTEMIS-RATE-12
  Scenario: A consumer that has asked in vain is handed no more messages in a second than its rate
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    And the producer sent 5 messages of 100 bytes
    When the consumer asks 6 times for a message
    And the producer sends 20 messages of 100 bytes
    Then the consumer has been handed at most 10 messages once it takes 10 more within that second

  @ARTEMIS-RATE-1
  Scenario: A consumer that was idle for long is handed no more messages at once than its rate
    Given a queue with room for everything
    And a consumer with a rate of 10 messages per second
    And the producer sent 40 messages of 100 bytes
    And the consumer asked for a message long ago
    Then the consumer is handed 10 messages when it takes 20

  @ARTEMIS-RATE-7
  Scenario: A producer that was idle for long sends no more messages at once than its rate
    Given a queue with room for everything
    And a producer with a rate of 10 messages per second
    When the producer tries to send 5 messages of 100 bytes
    And a long time passes
    And the producer tries to send 11 messages of 100 bytes
    Then its send waits
    And the queue comes to hold 15 messages

  @ARTEMIS-RATE-13
  Scenario: A producer that sends once too often sends no more messages than its rate
    Given a queue with room for everything
    And a producer with a rate of 10 messages per second
    When the producer tries to send 11 messages of 100 bytes
    Then the queue comes to hold no more than 10 messages
