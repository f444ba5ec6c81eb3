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

  @GENERAL-8
  @needs:purge
  @needs:close-clients
  Scenario: Once messages that a closed consumer gave back are purged, nothing is charged
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages and is closed
    And the destination is purged
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:purge
  @needs:kill-clients
  Scenario: Once messages that a broken connection gave back are purged, nothing is charged
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages and its connection breaks
    And the destination is purged
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-40
  @needs:close-clients
  Scenario: Messages that a closed consumer gave back expire
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 1000 ms
    And a consumer takes all messages and is closed
    And the time of what was given back is over and a consumer asks for messages
    Then it is handed nothing
    And the destination holds 0 bytes in 0 messages

  @GENERAL-41
  @needs:close-clients
  Scenario: Messages that a closed consumer gave back are charged where they are moved, and nowhere else
    Given a destination with a limit of 1000 bytes
    And another destination that is like it, with room for all of it
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages and is closed
    And management moves what waits to the other
    Then the destination holds 0 bytes in 0 messages
    And the other destination holds 2 messages

  @ARTEMIS-CONSUMER-1
  @needs:close-clients
  Scenario: Messages that a closed consumer gives back are sent ahead to the next one
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 3 messages of 300 bytes
    Then the client of the consumer has buffered 3 messages
    When another consumer with a window of 1000 bytes is attached
    And the consumer takes 1 message and is closed
    Then the client of the other consumer has buffered 3 messages

  @ARTEMIS-CONSUMER-1
  @needs:kill-clients
  Scenario: Messages that a broken connection gives back are sent ahead to the next one
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 3 messages of 300 bytes
    Then the client of the consumer has buffered 3 messages
    When another consumer with a window of 1000 bytes is attached
    And the consumer takes 1 message and its connection breaks
    Then the client of the other consumer has buffered 3 messages

  @ARTEMIS-CONSUMER-11
  @needs:close-clients
  Scenario: Messages that a closed consumer gives back are sent ahead only as far as the next window has room
    Given a queue with room for everything
    And a consumer with a window of 1000 bytes
    When a producer sends 3 messages of 300 bytes
    And another consumer with a window of 500 bytes is attached
    And the consumer takes 1 message and is closed
    Then the client of the other consumer has buffered at most 1 messages
