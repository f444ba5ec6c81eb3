Feature: The disk quota of a message store in the Qpid Java broker
  A store past its quota blocks every producer of its virtual host, until consumers have freed enough space.

  @QPID-DISK-1
  Scenario Outline: A store is overfull only above its overfull limit
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When the producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 999  | free    |
      | 1000 | free    |
      | 1001 | stopped |

  @QPID-DISK-1
  Scenario: Without a quota no amount stops anybody
    Given a store without a quota
    And a producer of persistent messages
    When the producer sends a message of 10485761 bytes
    Then the producer is free

  @QPID-DISK-1
  Scenario: Messages that are not persistent take no space of the store
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of messages that are not persistent
    When the producer sends a message of 1500 bytes
    Then the producer is free

  @QPID-DISK-1
  @needs:queue-gate
  Scenario: A store within its quota stops nobody beside a producer that its queue stops
    Given a store that may take 100000 bytes and is underfull below 80000 bytes
    And a queue "full" with a capacity of 1000 bytes and a resume level of 800 bytes
    And 4 producers are attached to "full"
    When the third of them sends a message of 1001 bytes
    Then the third of them is stopped, and nobody else, not even a latecomer

  @QPID-DISK-2
  Scenario Outline: Producers are blocked until the store is below its underfull limit
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 201   | 801  | stopped |
      | 202   | 800  | stopped |
      | 203   | 799  | free    |

  @QPID-DISK-3
  Scenario: Every producer is blocked, whatever it sends to
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a queue "other" beside it
    And a producer of persistent messages for "other"
    And another producer of persistent messages
    When the other producer sends a message of 1500 bytes
    Then the other producer is stopped
    And the producer is stopped

  @QPID-DISK-3
  Scenario: What several queues hold counts together
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a queue "other" beside it
    And a producer of persistent messages for "other"
    And another producer of persistent messages
    When the other producer sends a message of 600 bytes
    Then the producer is free
    When the producer sends a message of 700 bytes
    Then the producer is stopped
    And the other producer is stopped

  @QPID-DISK-4
  Scenario: Consumption unblocks every producer, who goes on as before
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And another producer of persistent messages
    And a producer was stopped by a message of 1500 bytes
    When all messages are consumed
    Then the producer is free
    And the other producer is free
    When the other producer sends a message of 500 bytes
    Then the message is accepted

  @QPID-DISK-5
  Scenario: Transactions that were open when the limit was reached may all be committed
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And 3 transactions with a persistent message of 600 bytes each
    When all of them are committed
    Then all of them may have been, and the queue holds 1800 bytes

  @QPID-DISK-6
  Scenario: A quota may be set for a BDB or a Derby store
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When the producer sends a message of 1500 bytes
    Then the producer is stopped
    And the store may be "BDB" or "Derby"

  @QPID-DISK-7
  Scenario Outline: The limits are in bytes
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When the producer sends <count> messages of <size> bytes
    Then the producer is <state>

    Examples:
      | count | size | state   |
      | 2     | 400  | free    |
      | 2     | 600  | stopped |
      | 5     | 100  | free    |

  @QPID-DISK-8
  Scenario: A store that becomes overfull is logged
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When the producer sends a message of 1500 bytes
    Then the log says "MST-1008 : Store overfull, flow control will be enforced"

  @QPID-DISK-8
  Scenario: A store within its quota is not logged as overfull
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When the producer sends a message of 500 bytes
    Then the log says nothing of "MST-1008"

  @QPID-DISK-8
  Scenario Outline: A store is logged once each time that it becomes overfull
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When <rounds> times messages of 100 bytes fill the store and <ending>
    Then the log has a line with "MST-1008" for each of the <rounds> rounds, and no other

    Examples:
      | rounds | ending                                                |
      | 6      | are consumed                                          |
      | 4      | are given back by a consumer before they are consumed |

  @QPID-DISK-8
  @needs:purge
  Scenario: A store is logged once each time that it becomes overfull between purges
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When 4 times messages of 100 bytes fill the store and are purged
    Then the log has a line with "MST-1008" for each of the 4 rounds, and no other

  @QPID-DISK-9
  Scenario: A store whose space was freed is logged
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And a producer was stopped by messages of 600 and 600 bytes
    When the first message is consumed
    Then the log says "MST-1009 : Store overfull condition cleared"

  @QPID-DISK-9
  Scenario Outline: A store is logged once each time that it is cleared
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    When <rounds> times messages of 100 bytes fill the store and <ending>
    Then the log has a line with "MST-1009" for each of the <rounds> rounds, and no other

    Examples:
      | rounds | ending                                                |
      | 6      | are consumed                                          |
      | 4      | are given back by a consumer before they are consumed |

  @QPID-DISK-9
  Scenario: A store that is overfull still is not logged as cleared
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And a producer was stopped by messages of 300 and 1200 bytes
    When the first message is consumed
    Then the log says nothing of "MST-1009"

  @QPID-DISK-3
  Scenario: A producer that comes while the store is overfull is blocked
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And the producer sent a message of 1500 bytes
    When another producer of persistent messages comes
    Then that other producer is blocked
    When all messages are consumed
    Then that other producer is unblocked

  @QPID-DISK-3
  @needs:shared-connections
  Scenario: A producer that comes on the connection of a blocked one is blocked
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages on "line"
    And the producer sent a message of 1500 bytes
    When another producer of persistent messages comes on "line"
    Then that other producer is blocked
    When all messages are consumed
    Then that other producer is unblocked

  @QPID-DISK-3
  @needs:anonymous-producers
  Scenario: A producer that names its queue with each message is blocked as well
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And a producer that names its queue with each message
    When the producer sends a message of 1500 bytes
    Then that other producer is blocked

  @QPID-DISK-3
  @needs:transactions
  Scenario: A producer that sends in transactions is blocked as well
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And another producer of persistent messages in transactions
    When the producer sends a message of 1500 bytes
    Then that other producer is blocked

  @QPID-DISK-3
  Scenario: A producer that waits for no answer is blocked as well
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And another producer of persistent messages to which no answer is owed
    When the producer sends a message of 1500 bytes
    Then that other producer is blocked
    When all messages are consumed
    Then that other producer is unblocked

  @QPID-DISK-4
  @needs:anonymous-producers
  Scenario: Consumption unblocks a producer that names its queue with each message
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a producer of persistent messages
    And a producer that names its queue with each message
    And the producer sent a message of 1500 bytes
    When all messages are consumed
    Then that other producer is unblocked

  @QPID-DISK-8
  @needs:transactions
  Scenario: Transactions that are committed to an overfull store write no further line
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And 3 transactions with a persistent message of 600 bytes each
    When all of them are committed
    Then the log has 1 lines with "MST-1008"
