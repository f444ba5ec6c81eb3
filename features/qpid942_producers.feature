Feature: Producers in the design of QPID-942
  A send of a stopped producer throws or waits, and management can stop and start all producers of a queue.

  @QPID-SEND-1
  Scenario: A send of a stopped producer throws where nothing is configured
    Given a queue with a policy of 1000 bytes
    And a producer whose client is not configured
    And the producer sent a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    Then its send fails
    And an error was thrown to its caller
    And the queue holds 1001 bytes

  @QPID-SEND-1
  Scenario: A send of a producer that is not stopped throws nothing
    Given a queue with a policy of 1000 bytes
    And a producer whose client is not configured
    And the producer sent a message of 900 bytes
    When the producer tries to send a message of 10 bytes
    Then its send returns

  @QPID-SEND-2
  Scenario: Told to block, a send waits until its producer is let go
    Given a queue with a policy of 1000 bytes
    And a producer whose client is told to block
    And the producer sent a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    Then its send waits
    When 600000 ms pass
    Then that send still waits
    When the first message is consumed
    Then that send has gone through
    And the queue holds 10 bytes

  @QPID-ORDER-1
  Scenario: Management stops all producers of a queue, who need not have sent anything
    Given a queue without a policy
    And a producer is attached
    When another producer sends a message of 1 bytes
    And management stops all producers of the queue
    Then the producer is stopped
    And the other producer is stopped

  @QPID-ORDER-3
  Scenario: Consumption does not end an order
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by a message of 1001 bytes
    When management stops all producers of the queue
    And all messages are consumed
    Then the producer is stopped

  @QPID-ORDER-3
  @needs:changed-limits
  Scenario: Another policy does not end an order
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by a message of 1001 bytes
    When management stops all producers of the queue
    And a policy of 5000 bytes is applied to it
    Then the producer is stopped

  @QPID-ORDER-2
  Scenario: Management starts all producers that it stopped
    Given a queue without a policy
    And a producer is attached
    When management stops all producers of the queue
    And management starts all producers of the queue
    Then the producer is free

  @QPID-ORDER-2
  Scenario: Management starts whom the policy holds, and the policy stops them again
    Given a queue with a policy of 1000 bytes
    And a producer was stopped by a message of 1001 bytes
    When management starts all producers of the queue
    Then the producer is free
    When the producer sends a message of 1 bytes
    Then the queue holds 1002 bytes
    And the producer is stopped
