Feature: Consumers that hold several messages
  A delivered message takes space until it is acknowledged, whoever acknowledges it and in whatever order.

  @GENERAL-8
  Scenario: What two consumers acknowledge in turn is charged no longer
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    When two consumers take 2 messages each
    And they acknowledge them in turn, the last ones first
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  Scenario: A message that is acknowledged between others gives back its own bytes
    Given a destination with a limit of 1000 bytes
    And a producer sent messages of 100 and 300 bytes
    And the producer sent a message of 500 bytes
    When a consumer takes all messages
    And the consumer acknowledges the second of them
    Then the destination holds 600 bytes in 2 messages
    When the consumer acknowledges the others
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  @needs:stops-producers
  Scenario: What is acknowledged while more comes is charged no longer
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 200 bytes
    When a consumer takes all messages
    And the producer sends 2 messages of 200 bytes
    And the consumer acknowledges them, the last one first
    Then the destination holds 400 bytes in 2 messages
    When everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-7
  Scenario: A latecomer is stopped by what a consumer has in hand
    Given a destination that 1 producers fill until none may send
    When a consumer takes all messages
    Then the producer is stopped
    When another producer sends a message of 400 bytes
    Then the other producer is stopped

  @GENERAL-11
  Scenario: What a closed consumer did not acknowledge goes back, and nothing else
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    When a consumer takes all messages
    And the consumer acknowledges the second of them
    And the consumer is closed
    Then the destination holds 600 bytes in 3 messages
    And the next consumer is handed what was not acknowledged, and nothing else

  @GENERAL-11
  Scenario: What another consumer has in hand stays there when one is closed
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    When two consumers take 2 messages each
    And the consumer is closed
    Then the destination holds 800 bytes in 4 messages
    When the other consumer acknowledges its messages
    Then the destination holds 400 bytes in 2 messages
    And the next consumer is handed what was not acknowledged, and nothing else

  @GENERAL-12
  Scenario: What another consumer has in hand stays there when the connection of one breaks
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    When two consumers take 2 messages each
    And the connection of the consumer breaks
    Then the destination holds 800 bytes in 4 messages
    When the other consumer acknowledges its messages
    Then the destination holds 400 bytes in 2 messages
    And the next consumer is handed what was not acknowledged, and nothing else

  @GENERAL-42
  Scenario: A destination is said to hold what was accepted and is not acknowledged
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When two consumers take 1 messages each
    Then the destination is said to hold 3 messages
    When the other consumer acknowledges its messages
    Then the destination is said to hold 2 messages

  @GENERAL-22
  @needs:purge
  @needs:close-clients
  Scenario: What consumers hold while the destination is purged is given back once, however they end
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    When two consumers take 1 messages each
    And the destination is purged
    And the other consumer acknowledges its messages
    And the consumer is closed
    And everything is consumed
    Then no figure was ever below zero

  @GENERAL-3
  Scenario: Producers are released by what two consumers acknowledge between them
    Given a destination that 3 producers fill until none may send
    When two consumers take all messages in turn
    And they acknowledge them in turn, the last ones first
    And everything is consumed
    Then every producer is free
