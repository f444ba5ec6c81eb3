Feature: Clients of the Qpid Java broker that wait
  A send whose channel is stopped waits, and its client says so. In the end the send fails; all else stays as it was.

  @QPID-CLIENT-1
  Scenario: A send waits while its channel is stopped, and goes through afterwards
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    Then its send waits
    And the queue holds 1001 bytes
    When the first message is consumed
    Then that send has gone through
    And the queue holds 10 bytes

  @QPID-QUEUE-8
  @needs:client-wait
  Scenario: A message whose send waited and that takes its queue past the capacity stops its channel
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 1500 bytes
    And the first message is consumed
    Then that send has gone through
    And the queue holds 1500 bytes
    And the producer is stopped

  @QPID-CLIENT-1
  Scenario: A send goes on waiting while the queue is not underfull
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the producer sent a message of 101 bytes
    And the producer was stopped by a message of 901 bytes
    When the producer tries to send a message of 10 bytes
    And the first message is consumed
    Then that send still waits

  @QPID-CLIENT-1
  Scenario: Every send that waits goes through, even if the one before it fills the queue again
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And 3 stopped producers with next sends of 1001 bytes
    When everything is consumed
    Then every producer is free
    And each accepted message was delivered once

  @QPID-CLIENT-1
  @needs:purge
  Scenario: A send that waits goes through once its queue is purged
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And the destination is purged
    Then that send has gone through
    And the queue holds 10 bytes

  @QPID-CLIENT-1
  @needs:changed-limits
  Scenario Outline: A send that waits goes through once the capacity of its queue is raised or removed
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And its limit is changed to <size> bytes
    Then that send has gone through
    And the queue holds 1011 bytes

    Examples:
      | size |
      | 5000 |
      | 0    |

  @QPID-CLIENT-2
  Scenario Outline: A send that may not go on fails once it has waited for the configured time
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits <timeout> ms and says so every <period> ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then that send <state>

    Examples:
      | timeout | period | passed | state       |
      | 2000    | 1000   | 1999   | still waits |
      | 2000    | 1000   | 2000   | has failed  |
      | 2000    | 1000   | 2001   | has failed  |

  @QPID-CLIENT-2
  Scenario Outline: The time of a send is its own, however long the send before it waited
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 3000 ms and says so every 1000 ms
    And a send of it waited for 2500 ms, and filled the queue again
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then that send <state>

    Examples:
      | passed | state       |
      | 2500   | still waits |
      | 3000   | has failed  |

  @QPID-CLIENT-2
  Scenario Outline: The period of the warnings does not change when a send fails
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits <timeout> ms and says so every <period> ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And <timeout> ms pass
    Then that send has failed before <latest> ms have passed

    Examples:
      | timeout | period | latest |
      | 1000    | 10000  | 3000   |
      | 3000    | 2900   | 5000   |

  @QPID-CLIENT-3
  Scenario: A send that fails throws a JMSException
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 1000 ms and says so every 500 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    And a JMSException was thrown to its caller

  @QPID-CLIENT-4
  Scenario: The message of a send that failed never comes to the broker
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 1000 ms and says so every 500 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    And the queue holds 1001 bytes
    When all messages are consumed
    Then the producer is free
    And the queue holds 0 bytes

  @QPID-CLIENT-5
  Scenario: The session may be active after a send has failed
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 1000 ms and says so every 500 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    And its session may still be active

  @QPID-CLIENT-6
  Scenario: After a failure the transaction can be committed, without the message that failed
    Given a store that may take 1000 bytes and is underfull below 800 bytes
    And a transacted producer of persistent messages whose client waits 1000 ms and says so every 500 ms
    And another producer of persistent messages
    When the producer tries to send a message of 100 bytes
    And the other producer sends a message of 1500 bytes
    And the producer tries to send a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    And its transaction is still open
    When all messages are consumed
    And the producer commits
    Then the queue holds 100 bytes

  @GENERAL-16
  @needs:queue-gate
  @needs:client-wait
  Scenario: A message whose send waited is rolled back with its transaction
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a transacted producer whose client waits 60000 ms and says so every 10000 ms
    And it has committed a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And the first message is consumed
    Then the producer is free
    When the producer rolls back
    Then the queue holds 0 bytes

  @GENERAL-2
  @needs:queue-gate
  @needs:client-wait
  @needs:transactions
  Scenario: A message whose send waited is committed with its transaction
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a transacted producer whose client waits 60000 ms and says so every 10000 ms
    And it has committed a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And the first message is consumed
    Then the producer is free
    When the producer commits
    Then the queue holds 10 bytes

  @QPID-CLIENT-7
  Scenario: A message whose send failed may be sent again
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 1000 ms and says so every 500 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    When all messages are consumed
    And the producer sends a message of 10 bytes
    Then the message may be accepted this time

  @QPID-CLIENT-8
  Scenario: After a failure the transaction may be rolled back and the session closed
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a transacted producer whose client waits 1000 ms and says so every 500 ms
    And it has committed a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 1000 ms pass
    Then that send has failed
    When the producer rolls back
    And the producer is closed
    And all messages are consumed
    Then the queue holds 0 bytes

  @QPID-CLIENT-9
  Scenario Outline: While a send waits its client says so once in each period
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 3000 ms and says so every 1000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then its client has said <times> times that it waits

    Examples:
      | passed | times |
      | 999    | 0     |
      | 1000   | 1     |
      | 1001   | 1     |
      | 2000   | 2     |
      | 2999   | 2     |
      | 3000   | 2     |

  @QPID-CLIENT-9
  Scenario Outline: The periods of a send are its own, however long the send before it waited
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 1000 ms
    And a send of it waited for 2500 ms, and filled the queue again
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then its client has said <times> times that it waits

    Examples:
      | passed | times |
      | 500    | 0     |
      | 1500   | 1     |

  @QPID-CLIENT-9
  Scenario: A client whose period is longer than its sends wait says nothing
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 2000 ms and says so every 5000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 10000 ms pass
    Then its client has said 0 times that it waits

  @QPID-CLIENT-12
  Scenario Outline: A send that waits is warned of once for each full period
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 7000 ms and says so every 2000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then its client has said <times> times that it waits

    Examples:
      | passed | times |
      | 1999   | 0     |
      | 2000   | 1     |
      | 2001   | 1     |

  @QPID-CLIENT-12
  Scenario: A send that waits on is warned of again
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 7000 ms and says so every 2000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 5000 ms pass
    Then its client has said 2 times that it waits

  @QPID-CLIENT-12
  Scenario: A send is warned of in each period, however long it waits
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 200 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 5100 ms pass
    Then its client has said 25 times that it waits

  @QPID-CLIENT-10
  Scenario: The warnings name the seconds that the send has waited
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 60000 ms and says so every 5000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 10000 ms pass
    Then its client has logged the warnings "Message send delayed by 5s due to broker enforced flow control" and "Message send delayed by 10s due to broker enforced flow control"

  @QPID-CLIENT-11
  Scenario Outline: Times of 6000 and 2000 are six seconds and two
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 6000 ms and says so every 2000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And <seconds> s pass
    Then that send <state>

    Examples:
      | seconds | state       |
      | 5       | still waits |
      | 6       | has failed  |

  @QPID-CLIENT-11
  Scenario: The period is in milliseconds too
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer whose client waits 6000 ms and says so every 2000 ms
    And the producer was stopped by a message of 1001 bytes
    When the producer tries to send a message of 10 bytes
    And 2 s pass
    Then its client has said 1 times that it waits
