Feature: Producers of another destination that were there before
  A destination that stops its producers leaves producers of other destinations alone, before, meanwhile and afterwards.

  @GENERAL-19
  Scenario: A producer that was attached elsewhere before stays free, and sends on
    Given a destination that few messages fill
    And a producer of another destination that has sent a message of 100 bytes
    When 2 producers send until none may
    Then that producer is free
    When everything is consumed
    Then that producer is free
    And a message of that producer is accepted

  @GENERAL-19
  @needs:shared-connections
  Scenario: A producer that was attached elsewhere before, on the same connection, stays free
    Given a destination that few messages fill
    And a producer on a connection that others share
    And a producer of another destination on that connection that has sent a message of 100 bytes
    When the producer fills the destination
    Then the producer is stopped
    And that producer is free
    And a message of that producer is accepted

  @GENERAL-19
  @needs:purge
  Scenario: A purge of a full destination leaves what others hold elsewhere
    Given a destination that 1 producers fill until none may send
    And a producer of another destination that has sent a message of 100 bytes
    When the destination is purged
    Then the other destination holds 100 bytes
    And a message of that producer is accepted
