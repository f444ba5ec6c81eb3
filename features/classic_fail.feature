Feature: Sends that fail in ActiveMQ Classic
  Instead of waiting, a send that finds no space can fail: at once, or after a time.

  @CLASSIC-FAIL-1
  Scenario Outline: A send fails at once where there is no space
    Given a broker that fails sends at once where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of <held> bytes
    When a producer sends a message of 10 bytes
    Then its send <result>

    Examples:
      | held | result  |
      | 999  | returns |
      | 1000 | fails   |
      | 1001 | fails   |

  @CLASSIC-FAIL-2
  Scenario: A message whose send failed is not stored
    Given a broker that fails sends at once where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    Then its send fails
    And the queue comes to hold 1 messages

  @CLASSIC-FAIL-2
  Scenario: A message whose send failed after a wait is not stored, not even once there is space
    Given a broker that fails sends after 1000 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    When all messages are consumed
    Then the queue comes to hold 0 messages

  @CLASSIC-FAIL-3
  Scenario Outline: A send fails once it has waited for the configured time
    Given a broker that fails sends after 3000 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And <passed> ms pass
    Then that send <state>

    Examples:
      | passed | state       |
      | 1000   | still waits |
      | 3000   | has failed  |
      | 4000   | has failed  |

  @CLASSIC-FAIL-3
  @needs:persistent-messages
  Scenario: A send that waits for the store fails after the configured time as well
    Given a broker with a store limit of 20000 bytes that fails sends after 1000 ms where there is no space
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes until one waits
    And 1000 ms pass
    Then that send has failed

  @CLASSIC-FAIL-3
  @needs:file-cursor
  Scenario: A send that waits for temporary space fails after the configured time as well
    Given a broker with a temporary limit of 20000 bytes that fails sends after 1000 ms where there is no space
    And a queue with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a producer of non-persistent messages
    And the producer sent 20 messages of 200 bytes
    When it sends messages of 200 bytes until one waits
    And 1000 ms pass
    Then that send has failed

  @CLASSIC-FAIL-3
  Scenario: A send that waits for the memory of all fails after the configured time as well
    Given a broker with a memory limit of 1000 bytes that fails sends after 1000 ms where there is no space
    And a queue with a memory limit of 1000000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And 1000 ms pass
    Then that send has failed

  @CLASSIC-FAIL-1
  @needs:persistent-messages
  Scenario: A send that finds the store full fails at once as well
    Given a broker with a store limit of 20000 bytes that fails sends at once where there is no space
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes until one is not taken
    Then its send fails

  @CLASSIC-FAIL-1
  Scenario: A send that finds the memory of all full fails at once as well
    Given a broker with a memory limit of 1000 bytes that fails sends at once where there is no space
    And a queue with a memory limit of 1000000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    Then its send fails

  @CLASSIC-FAIL-3
  @needs:transactions
  Scenario: A transacted send fails after the configured time as well
    Given a broker that fails sends after 1000 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a transacted producer sends a message of 10 bytes
    And 1000 ms pass
    Then that send has failed

  @CLASSIC-FAIL-4
  Scenario: A send that may wait for a time goes through if there is space before
    Given a broker that fails sends after 3000 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And 500 ms pass
    And the first message is consumed
    Then that send has gone through

  @CLASSIC-FAIL-5
  Scenario: With both configured, a send fails at once
    Given a broker that fails sends both at once and after 3000 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    Then its send fails

  @CLASSIC-FAIL-6
  Scenario: A send that fails says so by a ResourceAllocationException
    Given a broker that fails sends at once where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    Then what the producer is told starts with javax.jms.ResourceAllocationException

  @CLASSIC-FAIL-8
  Scenario: A send that fails after a wait says the same
    Given a broker that fails sends after 500 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And 500 ms pass
    Then what the producer is told starts with javax.jms.ResourceAllocationException

  @CLASSIC-FAIL-7
  Scenario Outline: A producer whose send failed sends again once there is space
    Given a broker that fails sends <when> where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And 500 ms pass
    And the first message is consumed
    And the producer sends 1 further messages of 20 bytes
    Then its send returns
    And the queue holds 20 bytes

    Examples:
      | when         |
      | at once      |
      | after 500 ms |

  @CLASSIC-FAIL-1
  @needs:topics
  Scenario: A send to a full topic fails at once as well
    Given a broker that fails sends at once where there is no space
    And a topic with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    Then its send fails

  @CLASSIC-FAIL-3
  @needs:topics
  Scenario: A send to a full topic fails after its time as well
    Given a broker that fails sends after 500 ms where there is no space
    And a topic with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And 500 ms pass
    Then that send has failed

  @CLASSIC-FAIL-7
  @needs:asynchronous-sends
  @needs:producer-window
  Scenario: Messages that failed after their time give their producer's window back
    Given a broker that fails sends after 500 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And an asynchronous producer with a window of 500 bytes
    When the producer sends messages of 100 bytes until a send waits
    And 2000 ms pass
    And everything is consumed
    Then the producer is free

  @CLASSIC-FAIL-7
  Scenario Outline: A producer whose sends failed again and again sends once there is space
    Given a broker that fails sends <when> where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When 4 times the producer sends a message of 10 bytes, and 500 ms pass
    And the first message is consumed
    And the producer sends 1 further messages of 20 bytes
    Then its send returns
    And the queue holds 20 bytes

    Examples:
      | when         |
      | at once      |
      | after 500 ms |

  @CLASSIC-FAIL-3
  Scenario: The time of a send goes on while a message leaves that makes no room
    Given a broker that fails sends after 500 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And another producer sent messages of 100 and 1500 bytes
    When a producer sends a message of 10 bytes
    And 400 ms pass
    And 1 messages are consumed
    And 100 ms pass
    Then that send has failed

  @CLASSIC-FAIL-1
  @needs:changed-usage
  Scenario Outline: A send fails at once also once a limit of all destinations was changed
    Given a broker that fails sends at once where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When <changed> is changed to <limit> bytes
    And a producer sends a message of 10 bytes
    Then its send fails

    Examples:
      | changed                           | limit     |
      | the memory limit for all messages | 33554432  |
      | the limit of the store            | 536870912 |

  @CLASSIC-FAIL-3
  @needs:changed-usage
  Scenario Outline: A send fails after its time also once a limit of all destinations was changed
    Given a broker that fails sends after 1000 ms where there is no space
    And a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When <changed> is changed to <limit> bytes
    And a producer sends a message of 10 bytes
    And 1000 ms pass
    Then that send has failed

    Examples:
      | changed                           | limit     |
      | the memory limit for all messages | 33554432  |
      | the limit of the store            | 536870912 |
