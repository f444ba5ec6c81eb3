Feature: Messages that are to be delivered later
  A message with a delay takes space from the beginning. It gives its space back as any other message does.

  @GENERAL-20
  @needs:delayed-messages
  Scenario: Messages that nobody may have yet stop their producer
    Given a destination that few messages fill
    When the producer sends messages with a delay of 3600000 ms until it may not
    Then the producer is stopped

  @GENERAL-4
  @needs:delayed-messages
  Scenario: A purge of messages that nobody may have yet lets their producer go
    Given a destination that few messages fill
    When the producer sends messages with a delay of 3600000 ms until it may not
    And the destination is purged
    Then the producer is free

  @GENERAL-8
  @needs:delayed-messages
  @needs:purge
  Scenario: After a purge of messages that nobody may have yet nothing is charged
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes with a delay of 3600000 ms
    And the destination is purged
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:delayed-messages
  Scenario: Once messages were delivered later, nothing is charged
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes with a delay of 300 ms
    And 600 ms pass and everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-3
  @needs:delayed-messages
  Scenario: The consumption of messages that were delivered later lets their producer go
    Given a destination that few messages fill
    When the producer sends messages with a delay of 300 ms until it may not
    And 600 ms pass and everything is consumed
    Then the producer is free
