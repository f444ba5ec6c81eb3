Feature: Transactions of several messages
  A committed transaction takes space as a whole. A transaction that is rolled back takes none.

  @GENERAL-16
  Scenario: Of two transactions that are open at once one is committed
    Given a destination with a limit of 1000 bytes
    When two transacted producers send 2 messages of 200 bytes each, in turn
    And the other producer rolls back, and the producer commits
    Then the destination holds 400 bytes in 2 messages
    And only accepted messages are ever delivered

  @GENERAL-16
  Scenario: Of two transactions that are open at once the one that began last is committed
    Given a destination with a limit of 1000 bytes
    When two transacted producers send 2 messages of 200 bytes each, in turn
    And the producer rolls back, and the other producer commits
    Then the destination holds 400 bytes in 2 messages
    And only accepted messages are ever delivered

  @GENERAL-16
  Scenario: A commit leaves another transaction open, which can still be rolled back
    Given a destination with a limit of 1000 bytes
    When two transacted producers send 2 messages of 200 bytes each, in turn
    And the producer commits, and the other producer rolls back
    Then the destination holds 400 bytes in 2 messages
    And only accepted messages are ever delivered

  @GENERAL-16
  Scenario: A transaction that would go past the limit and is rolled back stops nobody
    Given a destination with a limit of 1000 bytes
    When a transacted producer rolls back 5 messages of 300 bytes
    And another producer sends a message of 100 bytes
    Then the message is accepted
    And the producer is free
    And the destination holds 100 bytes in 1 messages

  @GENERAL-16
  Scenario: What is rolled back again and again takes no space in the end
    Given a destination with a limit of 1000 bytes
    When a transacted producer rolls back 3 messages of 200 bytes 5 times, and each time commits one of 100 bytes
    Then the destination holds 500 bytes in 5 messages
    And only accepted messages are ever delivered

  @GENERAL-16
  @needs:refusing-policy
  Scenario: What is rolled back takes no space where messages past the limit are refused
    Given a destination that refuses what goes past 1000 bytes
    When 2 times a transaction of 1 messages of 400 bytes is rolled back
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-1
  @needs:transactions
  Scenario: What is rolled back was handed to nobody before
    Given a destination with a limit of 1000 bytes
    When two transacted producers send 2 messages of 200 bytes each, in turn
    And a consumer takes all messages
    And the other producer rolls back, and the producer commits
    Then only accepted messages are ever delivered

  @GENERAL-2
  @needs:transactions
  Scenario: What two transactions commit one after the other is delivered once
    Given a destination with a limit of 1000 bytes
    When two transacted producers send 2 messages of 200 bytes each, in turn
    And both commit
    Then the destination holds 800 bytes in 4 messages
    And each accepted message was delivered once

  @QPID-QUEUE-8
  @needs:transactions
  Scenario: A transaction that goes past the capacity in its middle is stored as a whole, and stops its sender
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    When a transacted producer commits 5 messages of 400 bytes together
    Then the queue holds 2000 bytes
    And the producer is stopped

  @QPID-QUEUE-8
  @needs:transactions
  Scenario: A transaction whose last message goes past the capacity is stored as a whole, and stops its sender
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    When a transacted producer commits 3 messages of 400 bytes together
    Then the queue holds 1200 bytes
    And the producer is stopped

  @GENERAL-16
  @needs:stops-producers
  Scenario Outline: Transactions of several messages stop their producer, and their consumption lets it go
    Given a destination that few messages fill
    When a transacted producer commits <count> messages at a time until it may not send
    Then the producer is stopped
    When everything is consumed
    Then the producer is free
    And each accepted message was delivered once

    Examples:
      | count |
      | 3     |
      | 2     |

  @GENERAL-44
  @needs:transactions
  Scenario: Messages that were committed together have come one by one
    Given a destination with a limit of 1000 bytes
    When a transacted producer commits 4 messages of 100 bytes together
    Then management says that 4 messages came

  @GENERAL-45
  @needs:transactions
  Scenario: Messages that were committed together leave one by one
    Given a destination with a limit of 1000 bytes
    When a transacted producer commits 4 messages of 100 bytes together
    And everything is consumed
    Then management says that 4 messages left

  @ARTEMIS-AMQP-1
  @needs:transactions
  Scenario: Messages that are rolled back have used up their credits
    Given an address with a maximum size of 100000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a transacted producer rolls back 5 messages of 10 bytes
    Then the producer has used up at least 5 of the credits that it was issued

  @ARTEMIS-RATE-7
  @needs:transactions
  Scenario: Messages of a transaction count for the rate of their producer
    Given a queue with room for everything
    And a transacted producer with a rate of 10 messages per second
    When the producer tries to send 11 messages of 100 bytes
    Then the producer is stopped

  @QPID-QUEUE-9
  @needs:transactions
  Scenario: A transaction that goes past the capacity stops nobody whose own is still open
    Given a queue with a capacity of 1000 bytes and a resume level of 800 bytes
    When two transacted producers send 3 messages of 400 bytes each, in turn
    And the producer commits
    Then the other producer is free

  @GENERAL-40
  @needs:transactions
  @needs:expiring-transacted
  Scenario: Messages whose time is over before their commit take no space
    Given a destination with a limit of 1000 bytes
    When a transacted producer sends 2 messages of 400 bytes that live 200 ms, and commits once their time is over
    And their time is over and a consumer asks for messages
    Then it is handed nothing
    And the destination holds 0 bytes in 0 messages

  @GENERAL-1
  @needs:transactions
  @needs:close-clients
  Scenario: What was sent in a transaction whose producer is closed is never delivered
    Given a destination with a limit of 1000 bytes
    When two transacted producers send 2 messages of 200 bytes each, in turn
    And the producer is closed
    And the other producer commits
    Then only accepted messages are ever delivered

  @GENERAL-2
  @needs:transactions
  Scenario: A transaction is stored, or refused, as a whole if others fill its destination before the commit
    Given a destination with a limit of 1000 bytes
    When a transacted producer sends 2 messages of 200 bytes, and commits once another one has filled the destination
    Then each accepted message was delivered once

  @GENERAL-2
  @needs:transactions
  @needs:refusing-policy
  Scenario: A transaction is stored, or refused, as a whole if others fill a destination that refuses messages
    Given a destination that refuses what goes past 1000 bytes
    When a transacted producer sends 2 messages of 200 bytes, and commits once another one has filled the destination
    Then each accepted message was delivered once

  @GENERAL-2
  @needs:transactions
  @needs:reject-threshold
  Scenario: A transaction is stored, or refused, as a whole if others take its address to the reject threshold
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 1000 bytes
    And its producers are issued 100 credits, again when 30 are left
    When a transacted producer sends 2 messages of 200 bytes, and commits once another one has filled the destination
    Then each accepted message was delivered once
