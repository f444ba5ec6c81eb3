Feature: Clients that are too old for the flow control of the Qpid Java broker
  A client from before 0.6 ignores the order to stop.

  Background:
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes

  @QPID-OLD-1
  Scenario Outline: A client that ignores the order sends on
    Given a producer that does not know the order to stop
    And the producer sent a message of 1001 bytes
    When the producer sends <count> messages of <size> bytes
    Then the queue holds <held> bytes

    Examples:
      | count | size | held |
      | 1     | 1    | 1002 |
      | 3     | 500  | 2501 |

  @QPID-OLD-1
  Scenario: A client that ignores the order sends on too where the queue is overfull again after a while
    Given a producer that does not know the order to stop
    When the producer sends a message of 1001 bytes
    And all messages are consumed
    And 6 s pass
    And the producer sends a message of 1001 bytes
    And the producer sends 2 messages of 100 bytes
    Then the queue holds 1201 bytes

  @QPID-OLD-2
  Scenario: On one overfull queue the old client sends on and the new one is stopped
    Given a producer that does not know the order to stop
    And another producer was stopped by a message of 1001 bytes
    When the producer sends 2 messages of 100 bytes
    Then the queue holds 1201 bytes
    And the other producer may not send

  @QPID-OLD-2
  Scenario: A new client is held back as soon as an old one has filled the queue
    Given a producer that does not know the order to stop
    And the producer sent a message of 1001 bytes
    When another producer sends a message of 1 bytes
    Then the queue holds 1002 bytes
    And the other producer may not send

  @GENERAL-3
  @needs:queue-gate
  @needs:ignored-orders
  Scenario: Consumption releases a new client that was stopped after an old one
    Given a producer that does not know the order to stop
    And the producer sent a message of 1001 bytes
    When another producer sends a message of 1 bytes
    And all messages are consumed
    Then the other producer is free

  @GENERAL-3
  @needs:queue-gate
  @needs:ignored-orders
  Scenario: Consumption releases a new client that was stopped before an old one
    Given a producer that does not know the order to stop
    And another producer was stopped by a message of 1001 bytes
    When the producer sends a message of 100 bytes
    And all messages are consumed
    Then the other producer is free
