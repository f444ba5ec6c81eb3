Feature: Messages that a consumer gives back
  A consumer that rolls back is handed its messages again. However often it does, they are charged once.

  @GENERAL-20
  @needs:returned-messages
  Scenario Outline: Messages that go back let nobody go
    Given a destination that <producers> producers fill until none may send
    When a consumer takes all messages and gives them back, 3 times
    Then every producer is stopped

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-3
  @needs:returned-messages
  Scenario: The consumption of messages that went back lets everybody go
    Given a destination that 2 producers fill until none may send
    When a consumer takes all messages and gives them back, 3 times
    And everything is consumed
    Then every producer is free

  @GENERAL-8
  @needs:returned-messages
  Scenario: After rounds of messages that went back nothing is charged
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages and gives them back, 5 times
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-44
  @needs:returned-messages
  Scenario: A message that a consumer gives back and is handed again has come once
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When a consumer takes all messages and gives them back, 3 times
    Then management says that 3 messages came

  @GENERAL-46
  @needs:returned-messages
  @needs:close-clients
  Scenario: What a consumer gave back before it was closed is in hand no longer
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When a consumer takes all messages and gives them back, 3 times
    And the consumer is closed
    Then management says that 0 to 0 messages are in hand

  @ARTEMIS-CONSUMER-6
  @needs:returned-messages
  Scenario: However often messages go back, the window lets all of them come
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 6 messages of 300 bytes
    Then the client of the consumer has buffered what its window lets it
    When the consumer takes 1 message and gives all messages back, 5 times
    Then the consumer is handed 6 messages when it takes 7
