Feature: Policies of queues and exchanges in the design of QPID-942
  Whoever publishes to a queue that violates its policy is stopped, until the queue keeps its policy again.

  @QPID-POLICY-1
  Scenario: Use case 1, messages back up behind a consumer that lags until their producer is stopped
    Given a queue with a policy of 1000 bytes
    When a producer sends messages of 600 and 300 bytes
    Then the producer is free
    When a producer sends a message of 200 bytes
    Then the queue holds 1100 bytes
    And the producer is stopped

  @QPID-POLICY-1
  Scenario: Only who publishes to the queue that violates its policy is stopped
    Given a queue with a policy of 1000 bytes
    And a producer is attached
    When another producer sends a message of 1001 bytes
    Then the other producer is stopped
    And the producer is free
    When the producer sends a message of 1 bytes
    Then the producer is stopped

  @QPID-POLICY-1
  Scenario Outline: Of several producers only who violates the policy is stopped, whenever the others came
    Given a queue with a policy of 1000 bytes
    And 4 producers are attached
    When the <which> of them sends a message of 1001 bytes
    Then the <which> of them is stopped, and nobody else, not even a latecomer

    Examples:
      | which |
      | first |
      | third |

  @QPID-POLICY-1
  Scenario: Each of two queues violates its policy by what it holds itself
    Given a queue "first" with a policy of 1000 bytes
    And a queue "second" with a policy of 1000 bytes
    When a producer of each sends messages of 400 bytes until its sends are held back
    Then each took 3 messages

  @QPID-POLICY-1
  Scenario: What a consumer has in hand counts for who publishes meanwhile
    Given a queue with a policy of 1000 bytes
    And the producer sent a message of 400 bytes
    When a consumer takes all messages
    And another producer sends a message of 601 bytes
    Then the other producer is stopped

  @QPID-POLICY-2
  Scenario Outline: A producer goes on as soon as the policy is kept again
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 199   | 1001 | stopped |
      | 201   | 999  | free    |

  @QPID-POLICY-2
  @needs:message-limit
  Scenario: A producer goes on as soon as few enough messages are left
    Given a queue with a policy of 1000 bytes and of 2 messages
    And a producer is attached
    And the producer sent 2 messages of 10 bytes
    And another producer was stopped by a message of 10 bytes
    When 2 messages are consumed
    Then the other producer is free

  @QPID-POLICY-2
  Scenario: Use case 2, messages that nobody acknowledges keep their producer stopped
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by messages of 600 and 600 bytes
    When a consumer takes both messages and acknowledges none
    Then the producer is stopped
    When it acknowledges the first
    Then the producer is free

  @QPID-POLICY-3
  Scenario Outline: A policy in bytes is violated only above its level
    Given a queue with a policy of 1000 bytes
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 999  | free    |
      | 1000 | free    |
      | 1001 | stopped |

  @QPID-POLICY-3
  @needs:default-limits
  Scenario Outline: A policy in bytes that a queue inherits is violated only above its level
    Given an exchange with a policy of 1000 bytes
    And a queue without a policy
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 1000 | free    |
      | 1001 | stopped |

  @QPID-POLICY-3
  @needs:changed-limits
  Scenario Outline: A policy in bytes that is applied in use is violated only above its level
    Given a queue without a policy
    When a policy of 1000 bytes is applied to it
    And a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 1000 | free    |
      | 1001 | stopped |

  @QPID-POLICY-3
  Scenario: A policy in bytes is kept again at its level
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by messages of 200 and 1000 bytes
    When the first message is consumed
    Then the producer is free

  @QPID-POLICY-3
  Scenario: Use case 3, a burst of large messages that cannot be processed stops its producer
    Given a queue with a policy of 1000 bytes
    When another producer sends a message of 999 bytes
    And a producer sends a message of 999 bytes
    Then the producer is stopped
    And the other producer is free

  @QPID-POLICY-4
  Scenario Outline: A policy in messages is violated only above its level
    Given a queue with a policy of 3 messages
    When a producer sends <count> messages of 1 bytes
    Then the producer is <state>

    Examples:
      | count | state   |
      | 2     | free    |
      | 3     | free    |
      | 4     | stopped |

  @QPID-POLICY-4
  Scenario Outline: A policy of one message stops the sender of the second
    Given a queue with a policy of 1 messages
    When a producer sends <count> messages of 1 bytes
    Then the producer is <state>

    Examples:
      | count | state   |
      | 1     | free    |
      | 2     | stopped |

  @QPID-POLICY-4
  Scenario: A policy in messages is kept again at its level
    Given a queue with a policy of 2 messages
    And a producer is attached
    And the producer sent 2 messages of 10 bytes
    And the producer was stopped by a message of 10 bytes
    When the first message is consumed
    Then the producer is free

  @QPID-POLICY-5
  Scenario Outline: A queue without a policy has that of its exchange
    Given an exchange with a policy of 1000 bytes
    And a queue without a policy
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 999  | free    |
      | 1001 | stopped |

  @QPID-POLICY-5
  @needs:message-limit
  Scenario Outline: A queue's own policy goes before that of its exchange, as a whole
    Given an exchange with a policy of 1000 bytes
    And a queue with a policy of 2 messages
    When a producer sends <count> messages of <size> bytes
    Then the producer is <state>

    Examples:
      | count | size | state |
      | 1     | 1001 | free  |
      | 1     | 5000 | free  |

  @QPID-POLICY-5
  @needs:message-limit
  Scenario: A queue's own policy in messages stops who exceeds it, whatever its exchange allows
    Given an exchange with a policy of 1000 bytes
    And a queue with a policy of 2 messages
    And the producer sent 2 messages of 1 bytes
    When another producer sends a message of 1 bytes
    Then the other producer is stopped

  @QPID-POLICY-6
  Scenario Outline: A policy that is applied counts for whoever publishes next
    Given a queue without a policy
    When another producer sends a message of 600 bytes
    And a policy of <level> bytes is applied to it
    Then the other producer is free
    When a producer sends a message of 1 bytes
    Then the producer is <state>

    Examples:
      | level | state   |
      | 600   | stopped |
      | 602   | free    |

  @GENERAL-5
  @needs:policies
  Scenario: A wider policy lets go whom it does not hold
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by a message of 1001 bytes
    When a policy of 1001 bytes is applied to it
    Then the producer is free

  @QPID-POLICY-6
  Scenario: A policy that was removed stops nobody who publishes next
    Given a queue with a policy of 1000 bytes
    When its policy is removed
    And a producer sends a message of 5000 bytes
    Then the producer is free

  @QPID-POLICY-7
  Scenario: A policy that is removed holds nobody
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by a message of 1001 bytes
    When its policy is removed
    Then the producer is free
    When a producer sends a message of 5000 bytes
    Then the producer is free

  @QPID-POLICY-8
  Scenario Outline: Each producer gets at most one message past the policy
    Given a queue with a policy of 1000 bytes
    When <producers> producers send messages of 400 bytes until each is stopped
    Then the queue holds at most <most> bytes

    Examples:
      | producers | most |
      | 1         | 1200 |
      | 2         | 1600 |
      | 3         | 2000 |
