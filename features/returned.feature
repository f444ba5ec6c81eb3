Feature: Messages that a consumer gives back
  A consumer that rolls back gets its messages again. Each message is charged once, however often the consumer rolls back.

  @GENERAL-20
  @needs:returned-messages
  Scenario Outline: Messages that are given back release nobody
    Given a destination that <producers> producers fill until none may send
    When a consumer takes all messages and gives them back, 3 times
    Then every producer is stopped

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-3
  @needs:returned-messages
  Scenario: The consumption of messages that were given back releases everybody
    Given a destination that 2 producers fill until none may send
    When a consumer takes all messages and gives them back, 3 times
    And everything is consumed
    Then every producer is free

  @GENERAL-8
  @needs:returned-messages
  Scenario: Once messages that were given back are consumed, nothing is charged
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages and gives them back, 5 times
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-44
  @needs:returned-messages
  Scenario: A message that is given back and handed out again has come once
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When a consumer takes all messages and gives them back, 3 times
    Then management says that 3 messages came

  @GENERAL-46
  @needs:returned-messages
  @needs:close-clients
  Scenario: Messages that were given back before their consumer was closed are in hand no longer
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When a consumer takes all messages and gives them back, 3 times
    And the consumer is closed
    Then management says that 0 to 0 messages are in hand

  @ARTEMIS-CONSUMER-6
  @needs:returned-messages
  Scenario: However often messages are given back, the window lets all of them come
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 6 messages of 300 bytes
    Then the client of the consumer has buffered what its window lets it
    When the consumer takes 1 message and gives all messages back, 5 times
    Then the consumer is handed 6 messages when it takes 7
