Feature: What the Qpid Java broker writes to its log about the queue gate

  Background:
    Given a queue "MyQueue" with a capacity of 1000 bytes and a resume level of 800 bytes

  @QPID-LOG-1
  Scenario: A queue that becomes overfull is logged with its size and capacity
    When a producer sends a message of 1200 bytes
    Then the log says "QUE-1003 : Overfull : Size : 1,200 bytes, Capacity : 1,000"

  @QPID-LOG-1
  Scenario: The line about an overfull queue has its size and capacity as figures, whatever the line says beside them
    When a producer sends a message of 1200 bytes
    Then the first figures of the line with "QUE-1003" are 1200 and 1000 bytes

  @QPID-LOG-1
  Scenario: A queue at its capacity is not logged as overfull
    When a producer sends a message of 1000 bytes
    Then the log says nothing of "QUE-1003"

  @QPID-LOG-1
  Scenario: A queue that was logged as overfull and takes more is not logged again
    When a producer sends a message of 1200 bytes
    And another producer sends a message of 100 bytes
    Then the log has 1 lines with "QUE-1003"

  @QPID-LOG-1
  Scenario: Beside an overfull queue another one is not logged
    Given a queue "OtherQueue" with a capacity of 5000 bytes and a resume level of 4000 bytes
    When another producer sends a message of 1200 bytes to "OtherQueue"
    And a producer sends a message of 1200 bytes
    Then the log has no line of flow control about the queue "OtherQueue"

  @QPID-LOG-1
  @needs:changed-limits
  Scenario: A queue that a lowered capacity makes overfull is logged, at the latest with the next message
    Given a producer sent messages of 500 and 400 bytes
    When its limit is changed to 700 bytes
    And another producer sends a message of 100 bytes
    Then the log has 1 lines with "QUE-1003"

  @QPID-LOG-2
  @needs:several-queues
  Scenario Outline: A channel of several queues is logged with the one that stops it, wherever it stands
    Given a queue "wide" with a capacity of 5000 bytes and a resume level of 4000 bytes
    And a producer that sends each message to "<first>" and to "<second>"
    When the producer sends a message of 1200 bytes
    Then the log says "CHN-1005 : Flow Control Enforced (Queue MyQueue)"

    Examples:
      | first   | second  |
      | MyQueue | wide    |
      | wide    | MyQueue |

  @QPID-LOG-2
  Scenario: A channel that is stopped is logged with its queue
    When a producer sends a message of 1200 bytes
    Then the log says "CHN-1005 : Flow Control Enforced (Queue MyQueue)"

  @QPID-LOG-2
  Scenario: Each channel that is stopped is logged
    When a producer sends a message of 1200 bytes
    And another producer sends a message of 100 bytes
    Then the log says "CHN-1005 : Flow Control Enforced (Queue MyQueue)" 2 times

  @QPID-LOG-2
  Scenario: A channel that is stopped again is logged again
    Given a producer was stopped by messages of 600 and 600 bytes
    When all messages are consumed
    And the producer sends a message of 1200 bytes
    Then the log says "CHN-1005 : Flow Control Enforced (Queue MyQueue)" 2 times

  @QPID-LOG-2
  Scenario: A channel that sent nothing is not logged as stopped
    Given a producer is attached
    When another producer sends a message of 1200 bytes
    Then the log has 1 lines with "CHN-1005"

  @QPID-LOG-3
  Scenario: A queue that becomes underfull is logged with its size and resume level
    Given a producer was stopped by messages of 600 and 600 bytes
    When the first message is consumed
    Then the log says "QUE-1004 : Underfull : Size : 600 bytes, Resume Capacity : 800"

  @QPID-LOG-3
  Scenario: The line about an underfull queue has its size and resume level as figures, whatever the line says beside them
    Given a producer was stopped by messages of 600 and 600 bytes
    When the first message is consumed
    Then the first figures of the line with "QUE-1004" are 600 and 800 bytes

  @QPID-LOG-3
  Scenario: A queue at its resume level is not logged as underfull
    Given a producer was stopped by messages of 400 and 800 bytes
    When the first message is consumed
    Then the log says nothing of "QUE-1004"

  @QPID-LOG-3
  Scenario: A queue that was not overfull is not logged as underfull
    Given a producer sent messages of 500 and 400 bytes
    When all messages are consumed
    Then the log says nothing of "QUE-1004"

  @QPID-LOG-3
  Scenario: A queue that was logged as underfull and loses more is not logged again
    Given a producer was stopped by messages of 600 and 600 bytes
    When all messages are consumed
    Then the log has 1 lines with "QUE-1004"

  @QPID-LOG-3
  @needs:close-clients
  Scenario: A queue that becomes underfull once its stopped channel is closed is logged
    Given a producer was stopped by messages of 600 and 600 bytes
    When the producer is closed
    And all messages are consumed
    Then the log has 1 lines with "QUE-1004"

  @QPID-LOG-4
  Scenario: Each channel that is released is logged
    Given a producer was stopped by messages of 600 and 600 bytes
    And another producer was stopped by a message of 100 bytes
    When all messages are consumed
    Then the log says "CHN-1006 : Flow Control Removed" 2 times

  @QPID-LOG-4
  Scenario: A channel that was not stopped is not logged as released
    Given another producer was stopped by messages of 600 and 600 bytes
    And a producer is attached
    When all messages are consumed
    Then the log has 1 lines with "CHN-1006"

  @QPID-LOG-4
  @needs:several-queues
  Scenario: A channel that one of two queues still stops is not logged as released
    Given a queue "audit" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer that sends each message to "MyQueue" and to "audit"
    When the producer sends a message of 1200 bytes
    And all messages of "audit" are consumed
    Then the log says nothing of "CHN-1006"

  @QPID-LOG-4
  @needs:close-clients
  Scenario: A stopped channel that is closed is not logged as released
    Given a producer was stopped by messages of 600 and 600 bytes
    When the producer is closed
    Then the log says nothing of "CHN-1006"

  @QPID-LOG-4
  @needs:purge
  Scenario: A channel that a purge releases is logged
    Given a producer was stopped by messages of 600 and 600 bytes
    When the destination is purged
    Then the log says "CHN-1006 : Flow Control Removed"

  @QPID-LOG-4
  @needs:changed-limits
  Scenario: A channel that a raised capacity releases is logged
    Given a producer was stopped by messages of 600 and 600 bytes
    When its limit is changed to 5000 bytes
    Then the log says "CHN-1006 : Flow Control Removed"
