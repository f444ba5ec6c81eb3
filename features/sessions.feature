Feature: Many destinations of one client
  A destination stops and releases its own producers, whatever else their session or their client sends to.

  @GENERAL-3
  Scenario Outline: Several full destinations let all their producers go
    Given <count> destinations that few messages fill, with a producer each
    When each of these producers sends until it may not
    And everything is consumed at each of them
    Then every producer is free

    Examples:
      | count |
      | 5     |
      | 2     |

  @GENERAL-3
  @needs:shared-sessions
  Scenario Outline: Of several full destinations of one session each lets its own producer go
    Given <count> destinations that few messages fill, with a producer each in one session
    When each of these producers sends until it may not
    Then consumption at each destination in turn lets its producer go

    Examples:
      | count |
      | 5     |
      | 2     |

  @GENERAL-3
  @needs:shared-sessions
  Scenario: Several full destinations of one session let all their producers go
    Given 5 destinations that few messages fill, with a producer each in one session
    When each of these producers sends until it may not
    And everything is consumed at each of them
    Then every producer is free
    And a further message of each producer is accepted

  @GENERAL-4
  @needs:shared-sessions
  Scenario: Purges of several full destinations of one session let all their producers go
    Given 5 destinations that few messages fill, with a producer each in one session
    When each of these producers sends until it may not
    And each of them is purged
    Then every producer is free

  @GENERAL-3
  @needs:shared-sessions
  @needs:amqp-credit
  Scenario: Producers of one session and one destination all go on once it has room
    Given a destination that few messages fill
    When 5 producers of one session send until none may
    And everything is consumed
    Then every producer is free
    And a further message of each producer is accepted

  @GENERAL-9
  @needs:shared-sessions
  Scenario: A stopped producer that is closed leaves the others of its session alone
    Given 2 destinations that few messages fill, with a producer each in one session
    When each of these producers sends until it may not
    And the first of these producers is closed
    Then the other producer waits at its destination, and goes on once there is room

  @GENERAL-19
  @needs:shared-sessions
  Scenario: A full destination stops nobody of the same session who sends elsewhere
    Given 5 destinations that few messages fill, with a producer each in one session
    When the first of these producers sends until it may not
    Then every other producer is free
    And a further message of every other producer is accepted

  @GENERAL-14
  Scenario Outline: A producer that has sent to many destinations is stopped by the one that it fills, and let go
    Given a destination that few messages fill, and <count> further destinations
    When an anonymous producer sends a message to the destination and to each further one
    And it sends to the destination until it may not
    Then the producer is stopped
    When everything is consumed
    Then the producer is free
    And a further message of the producer to the destination is accepted

    Examples:
      | count |
      | 1100  |
      | 5     |

  @GENERAL-14
  @needs:shared-sessions
  Scenario Outline: A stopped producer waits on, however many destinations another of its session names
    Given a destination that few messages fill, and <count> further destinations
    And two anonymous producers in one session
    When the first of them sends to the destination until it may not
    And the second of them sends a message to each further destination
    Then the producer is stopped
    When everything is consumed
    Then the producer is free
    And a further message of the producer to the destination is accepted

    Examples:
      | count |
      | 1100  |
      | 5     |
