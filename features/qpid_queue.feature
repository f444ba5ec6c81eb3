Feature: The queue gate of the Qpid Java broker
  A producer whose message takes a queue past its capacity is stopped,
  and stays stopped until the queue holds fewer bytes than its resume level.

  @QPID-QUEUE-1
  Scenario Outline: A queue is overfull only above its capacity
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And another queue stopped the sender of a message of 2000 bytes
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 999  | free    |
      | 1000 | free    |
      | 1001 | stopped |

  @QPID-QUEUE-1
  @needs:changed-limits
  Scenario Outline: A changed capacity counts for a producer that was attached before
    Given a queue with a capacity of 5000 bytes and a resume level of 4000 bytes
    And another queue stopped the sender of a message of 2000 bytes
    And a producer is attached
    When its limit is changed to 1000 bytes
    And a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 999  | free    |
      | 1000 | free    |
      | 1001 | stopped |

  @QPID-QUEUE-1
  Scenario: Each of two queues is overfull by what it holds itself
    Given a queue "first" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a queue "second" with a capacity of 1000 bytes and a resume level of 800 bytes
    When a producer of each sends messages of 400 bytes until its sends are held back
    Then each took as many messages, from 2 to 4

  @QPID-QUEUE-2
  Scenario Outline: A stopped producer waits until the queue is below its resume level
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 399   | 801  | stopped |
      | 400   | 800  | stopped |
      | 401   | 799  | free    |

  @QPID-QUEUE-2
  Scenario: No queue is ever below a resume level of 0
    Given a queue with a capacity of 1000 bytes and a resume level of 0 bytes
    And a producer was stopped by a message of 1001 bytes
    When all messages are consumed
    Then the producer is stopped

  @QPID-QUEUE-11
  @needs:changed-limits
  Scenario: A resume level that is changed alone counts for producers that were stopped before
    Given a queue with a capacity of 1000 bytes and a resume level of 500 bytes
    And a producer was stopped by messages of 500 and 700 bytes
    When the first message is consumed
    Then the producer is stopped
    When its resume level alone is changed to 900 bytes
    Then the producer is free

  @QPID-QUEUE-3
  Scenario Outline: A capacity of 0 is no limit
    Given a queue with a capacity of 0 bytes and a resume level of 0 bytes
    When a producer sends a message of <size> bytes
    Then the producer is free

    Examples:
      | size     |
      | 1        |
      | 1000     |
      | 10485761 |

  @QPID-QUEUE-3
  @needs:changed-limits
  Scenario: A capacity changed to 0 lets go whom it held
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer was stopped by a message of 1001 bytes
    When its limit is changed to 0 bytes
    Then the producer is free

  @QPID-QUEUE-4
  Scenario: A queue for which no capacity is set has no limit
    Given a queue for which nothing is configured
    Then management reads a capacity of 0 bytes
    When a producer sends a message of 10485761 bytes
    Then the producer is free

  @QPID-QUEUE-5
  Scenario Outline: A resume level that is not set equals the capacity
    Given a queue with a capacity of 1000 bytes and no resume level
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 199   | 1001 | stopped |
      | 200   | 1000 | stopped |
      | 201   | 999  | free    |

  @QPID-QUEUE-6
  Scenario Outline: A queue's own limits go before its virtual host's
    Given a virtual host whose queues have a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 1000 | free    |
      | 1001 | stopped |

  @QPID-QUEUE-14
  Scenario Outline: A queue without limits of its own has its virtual host's
    Given a virtual host whose queues have a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue for which nothing is configured
    And another queue stopped the sender of a message of 2000 bytes
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 5000 | free    |
      | 5001 | stopped |

  @QPID-QUEUE-14
  Scenario Outline: A queue without limits of its own releases at its virtual host's resume level
    Given a virtual host whose queues have a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue for which nothing is configured
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 1000  | 4100 | stopped |
      | 1500  | 3600 | free    |

  @QPID-QUEUE-6
  Scenario: A queue's own capacity of 0 goes before its virtual host's
    Given a virtual host whose queues have a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue with a capacity of 0 bytes and a resume level of 0 bytes
    When a producer sends a message of 5001 bytes
    Then the producer is free

  @QPID-QUEUE-6
  Scenario Outline: A virtual host's resume level goes with a queue's own capacity
    Given a virtual host whose queues have a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue with a capacity of 1000 bytes and no resume level
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 50    | 1100 | free    |
      | 50    | 4000 | stopped |

  @QPID-QUEUE-6
  @needs:changed-limits
  Scenario Outline: A virtual host's resume level goes with a queue's changed capacity
    Given a virtual host whose queues have a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue with a capacity of 1000 bytes and no resume level
    When the capacity of the queue alone is changed to 6000 bytes
    And a producer sends messages of <first> and <rest> bytes
    And the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 2002  | 3999 | free    |
      | 1001  | 5000 | stopped |

  @QPID-QUEUE-7
  Scenario Outline: Whoever sends to an overfull queue is stopped by it
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And another producer was stopped by a message of 1001 bytes
    When a producer sends a message of <size> bytes
    Then the producer is stopped

    Examples:
      | size |
      | 1    |
      | 500  |

  @QPID-QUEUE-8
  Scenario: The message that takes a queue past its capacity is stored, then its sender is stopped
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    When a producer sends messages of 1000 and 1 bytes
    Then the queue holds 1001 bytes
    And the producer is stopped
    And both messages can be consumed

  @QPID-QUEUE-8
  @needs:several-queues
  Scenario: The second of several queues stops their producer too, and both store its message
    Given a queue "orders" with a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue "audit" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer that sends each message to "orders" and to "audit"
    When the producer sends a message of 1001 bytes
    Then the producer is stopped
    And "orders" and "audit" hold 1001 bytes each

  @QPID-QUEUE-9
  Scenario: A producer that does not send to an overfull queue is not stopped
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer is attached
    When another producer sends a message of 1001 bytes
    Then the producer is free

  @QPID-QUEUE-9
  Scenario Outline: Of several producers only who sent to an overfull queue is stopped, whenever the others came
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And 4 producers are attached
    When the <which> of them sends a message of 1001 bytes
    Then none but the <which> of them is stopped, not even a latecomer

    Examples:
      | which |
      | first |
      | third |

  @QPID-QUEUE-9
  @needs:changed-limits
  Scenario: A capacity that is lowered stops nobody who sends nothing
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer is attached
    When another producer sends a message of 900 bytes
    And its limit is changed to 500 bytes
    Then the producer is free

  @QPID-QUEUE-10
  Scenario Outline: Between the two levels a latecomer is not stopped and a stopped producer not released
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And another producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    And a producer sends a message of 1 bytes
    Then the producer is <latecomer>
    And the other producer is <stopped one>

    Examples:
      | first | rest | latecomer | stopped one |
      | 402   | 798  | free      | free        |
      | 401   | 799  | free      | free        |
      | 400   | 800  | free      | stopped     |
      | 201   | 999  | free      | stopped     |
      | 200   | 1000 | stopped   | stopped     |

  @QPID-QUEUE-11
  Scenario: A producer stopped by two queues is released only when both have become underfull
    Given a queue "orders" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a queue "audit" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer that sends each message to "orders" and to "audit"
    And the producer was stopped by a message of 1001 bytes
    When all messages of "orders" are consumed
    Then the producer is stopped
    When all messages of "audit" are consumed
    Then the producer is free

  @QPID-QUEUE-13
  Scenario: A queue that fills up again does not take back that it became underfull
    Given a queue "orders" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a queue "audit" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer that sends each message to "orders" and to "audit"
    And the producer was stopped by a message of 1001 bytes
    When all messages of "orders" are consumed
    And another producer sends a message of 1001 bytes to "orders"
    And all messages of "audit" are consumed
    Then the producer is free

  @QPID-QUEUE-12
  Scenario Outline: Each producer adds at most one message to an overfull queue
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    When <producers> producers send messages of 100 bytes until each is stopped
    Then the queue holds at most <most> bytes

    Examples:
      | producers | most |
      | 1         | 1100 |
      | 2         | 1200 |
      | 5         | 1500 |
