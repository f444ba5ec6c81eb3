Feature: Destinations that end with the connection of a client
  A temporary destination has limits as any other. When it ends, its messages end with it, and nobody is charged for them.

  @GENERAL-20
  @needs:temporary-destinations
  Scenario: A temporary destination stops its producer at its limit
    Given a temporary destination that few messages fill
    When the producer fills the destination
    Then the producer is stopped

  @GENERAL-3
  @needs:temporary-destinations
  Scenario: Consumption at a temporary destination lets its producer go
    Given a temporary destination that few messages fill
    When the producer fills the destination
    And everything is consumed
    Then the producer is free

  @GENERAL-8
  @needs:temporary-destinations
  Scenario: Once all messages of a temporary destination are consumed, nothing is charged
    Given a temporary destination that few messages fill
    When the producer fills the destination
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-21
  @needs:temporary-destinations
  @needs:shared-limits
  @needs:stops-producers
  @needs:close-clients
  @needs:kill-clients
  Scenario: Messages of temporary destinations that have ended take no room from others
    Given all destinations together take 1000 bytes, and one of them has no limit of its own
    When 3 times a temporary destination gets 2 messages of 400 bytes, and ends with its connection
    Then the destination without a limit of its own takes 2 messages of 400 bytes

  @GENERAL-21
  @needs:temporary-destinations
  @needs:shared-limits
  @needs:stops-producers
  @needs:close-clients
  @needs:kill-clients
  Scenario: Messages of the second of two temporary destinations that ended take no room from others
    Given all destinations together take 1000 bytes, and one of them has no limit of its own
    When 3 times the second temporary destination of a connection gets 2 messages of 400 bytes, and both end
    Then the destination without a limit of its own takes 2 messages of 400 bytes
