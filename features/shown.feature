Feature: What management shows of stopped producers and of used limits
  Management shows whether each producer is stopped or free, and how many per cent of a limit are charged.

  @GENERAL-49
  Scenario Outline: A stopped producer is shown as stopped, and as free once everything is consumed
    Given a destination that <producers> producers fill until none may send
    Then management shows every producer as stopped
    When everything is consumed
    Then every producer is free
    And management shows every producer as free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-49
  Scenario: A producer that may send is shown as free
    Given a destination with a limit of 1000 bytes
    And the producer sent a message of 100 bytes
    Then management shows every producer as free

  @GENERAL-49
  @needs:purge
  Scenario: A producer that a purge releases is shown as free
    Given a destination that 2 producers fill until none may send
    When the destination is purged
    Then every producer is free
    And management shows every producer as free

  @GENERAL-49
  @needs:changed-limits
  Scenario: A producer that a raised limit releases is shown as free
    Given a destination that 1 producers fill until none may send
    When its limit is changed to 1000000 bytes
    Then every producer is free
    And management shows every producer as free

  @GENERAL-49
  Scenario: A producer that is stopped again is shown as stopped again
    Given a destination that 1 producers fill until none may send
    When everything is consumed
    And 1 producers send until none may
    Then management shows every producer as stopped

  @GENERAL-49
  @needs:topics
  Scenario: A producer that a topic stops is shown as stopped
    Given a topic with a limit of 1000 bytes
    When 1 producers send until none may
    Then management shows every producer as stopped
    When everything is consumed
    Then every producer is free
    And management shows every producer as free

  @GENERAL-49
  @needs:anonymous-producers
  Scenario: A producer that names its destination with each message is shown as stopped
    Given a destination that few messages fill
    When an anonymous producer sends to it until it may not
    Then management shows every producer as stopped
    When everything is consumed
    Then every producer is free
    And management shows every producer as free

  @GENERAL-49
  Scenario: A producer of another destination is shown as free
    Given a destination that 1 producers fill until none may send
    When a producer of another destination sends a message of 100 bytes
    Then that producer is free
    And management shows that producer as free

  @GENERAL-49
  @needs:memory-limit
  @needs:usage-limits
  @needs:late-answers
  Scenario: A producer whose send failed is shown as free
    Given a broker that fails sends after 1000 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    And management shows every producer as free

  @GENERAL-50
  Scenario Outline: The charged bytes are shown as a percentage of the limit
    Given a destination with a limit of 1000 bytes
    And the producer sent <count> messages of <size> bytes
    Then management shows the percentage of the limit that <charged> bytes use
    When everything is consumed
    Then management shows the percentage of the limit that 0 bytes use

    Examples:
      | count | size | charged |
      | 1     | 5    | 5       |
      | 1     | 500  | 500     |
      | 3     | 333  | 999     |

  @GENERAL-50
  Scenario: However many bytes are charged, they are shown as a percentage of the limit
    Given a destination with a limit of 100000 bytes
    And the producer sent 45 messages of 1000 bytes
    Then management shows the percentage of the limit that 45000 bytes use

  @GENERAL-50
  Scenario: Bytes past the limit, and messages in hand, are shown as used
    Given a destination that 2 producers fill until none may send
    Then management shows the percentage of the limit that the charged bytes use
    When two consumers take 1 messages each
    Then management shows the percentage of the limit that the charged bytes use
    When the other consumer acknowledges its messages
    Then management shows the percentage of the limit that the charged bytes use

  @GENERAL-50
  @needs:purge
  Scenario: Purged bytes are not shown as used
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When the destination is purged
    Then management shows the percentage of the limit that 0 bytes use

  @GENERAL-50
  @needs:changed-limits
  Scenario: The percentage is one of the changed limit
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When its limit is changed to 4000 bytes
    Then management shows the percentage of the limit that 800 bytes use

  @GENERAL-50
  @needs:topics
  Scenario: The charged bytes of a topic are shown as a percentage of its limit
    Given a topic with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    Then management shows the percentage of the limit that 800 bytes use
    When everything is consumed
    Then management shows the percentage of the limit that 0 bytes use
