Feature: Several queues that get the same messages
  Any full queue stops the producer. The last queue with room again releases it.

  @GENERAL-35
  Scenario: A full queue stops the producer of an exchange, wherever it is bound
    Given a destination of 1000 bytes, bound between wide queues
    When the producer fills the destination
    Then the producer is stopped

  @GENERAL-35
  Scenario: A producer that comes later is stopped by the queue that is full
    Given a destination of 1000 bytes, bound between wide queues
    When the producer fills the destination
    And another producer sends a message of 400 bytes
    Then the other producer is stopped

  @GENERAL-36
  Scenario: Consumption of the last full queue releases the producer, and of the first does not
    Given a destination of 1000 bytes, bound behind a queue that is like it
    When the producer fills the destination
    And everything is consumed at the queues beside it
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-36
  Scenario: The end of a full queue makes room as its consumption does
    Given a destination of 1000 bytes, bound behind a queue that is like it
    When the producer fills the destination
    And the queues beside it are deleted
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-36
  @needs:dead-letters
  Scenario: What a consumer of one queue refuses for good makes no room while another queue is full
    Given a destination of 1000 bytes, bound behind a queue that is like it
    When the producer fills the destination
    And a consumer of the first queue refuses for good all that it is handed
    Then the producer is stopped
    When everything is consumed at the queues beside it
    And everything is consumed
    Then the producer is free

  @GENERAL-36
  @needs:purge
  Scenario: A purge of one queue makes no room while another queue is full
    Given a destination of 1000 bytes, bound behind a queue that is like it
    When the producer fills the destination
    And the queue bound first is purged
    Then the producer is stopped
    When everything is consumed at the queues beside it
    And everything is consumed
    Then the producer is free

  @GENERAL-2
  @needs:several-bindings
  Scenario: Each bound queue holds each accepted message
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    Then each bound queue delivers each accepted message once

  @GENERAL-21
  @needs:several-bindings
  Scenario: A message for several queues takes the space of one
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    When another producer sends a message of 100 bytes
    Then the message is accepted

  @GENERAL-21
  @needs:several-bindings
  @needs:message-limit
  @needs:stops-producers
  Scenario: A message for several queues counts once for a limit in messages
    Given a destination of 5 messages, bound between wide queues
    And the producer sent 4 messages of 100 bytes
    When another producer sends a message of 100 bytes
    Then the message is accepted

  @GENERAL-8
  @needs:several-bindings
  Scenario: A queue that is there for a short time leaves nothing charged
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    When the queues beside it are deleted
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  @needs:several-bindings
  Scenario: What only a deleted queue still held is charged no more
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    When everything is consumed
    And the queues beside it are deleted
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  @needs:several-bindings
  Scenario: What every bound queue delivered is charged no more
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    When everything is consumed at the queues beside it
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  @needs:several-bindings
  @needs:close-clients
  Scenario: What a consumer of one of several queues held as it was closed is charged once
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    When a consumer of it takes all messages, and is closed
    And everything is consumed at the queues beside it
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  @needs:several-bindings
  @needs:kill-clients
  Scenario: What a consumer of one of several queues held as its connection broke is charged once
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    When a consumer of it takes all messages, and its connection breaks
    And everything is consumed at the queues beside it
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-40
  @needs:several-bindings
  @needs:close-clients
  Scenario: After rounds of messages that expired on several queues nothing is charged
    Given a destination of 1000 bytes, bound between wide queues
    When 3 times 2 messages of 400 bytes are sent that live 200 ms, and expire on each queue
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-40
  @needs:several-bindings
  @needs:close-clients
  @needs:file-cursor
  @needs:persistent-messages
  Scenario Outline: After rounds of messages that expired on several queues, in files, nothing is charged
    Given a destination of 1000 bytes, bound between wide queues, all of which keep their messages in files
    When 3 times 12 <kind> messages of 400 bytes are sent that live 200 ms, and expire on each queue
    Then the destination holds 0 bytes in 0 messages

    Examples:
      | kind           |
      | persistent     |
      | non-persistent |

  @GENERAL-8
  @needs:several-bindings
  @needs:later-bindings
  @needs:file-cursor
  Scenario: Queues that come and go with their messages in files leave nothing charged
    Given a destination of 1000 bytes, bound between wide queues, all of which keep their messages in files
    When 5 times a queue is bound to it, gets a message of 400 bytes and is deleted before it is consumed
    And the queues beside it are deleted
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-8
  @needs:several-bindings
  @needs:close-clients
  @needs:file-cursor
  @needs:persistent-messages
  Scenario Outline: What several queues kept in files and delivered in turn is charged no more
    Given a destination of 1000 bytes, bound between wide queues, all of which keep their messages in files
    And a producer of <kind> messages that sent 12 messages of 400 bytes
    When everything is consumed at the queues beside it
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

    Examples:
      | kind           |
      | persistent     |
      | non-persistent |

  @GENERAL-36
  @needs:later-bindings
  Scenario: Consumption at a queue that was bound later makes no room while another queue is full
    Given a destination of 1000 bytes, bound between wide queues
    And one more queue is bound to it
    When the producer fills the destination
    And everything is consumed at the queue that came last
    Then the producer is stopped
    When everything is consumed at the queues beside it
    And everything is consumed
    Then the producer is free

  @GENERAL-36
  @needs:temporary-subscriptions
  @needs:close-clients
  Scenario: A subscription that ends because its consumer is closed makes room as its consumption does
    Given a destination of 1000 bytes, bound between wide queues
    And a consumer whose subscription to it ends with the consumer
    When the producer fills the destination
    And everything is consumed at the queues beside it
    And all of its messages but one are consumed
    Then the producer is stopped
    When this consumer is closed
    Then the producer is free

  @GENERAL-8
  @needs:several-bindings
  @needs:temporary-subscriptions
  @needs:close-clients
  Scenario: A subscription that ends because its consumer is closed leaves nothing charged
    Given a destination of 1000 bytes, bound between wide queues
    And a consumer whose subscription to it ends with the consumer
    And the producer sent 2 messages of 400 bytes
    When everything is consumed at the queues beside it
    And this consumer is closed
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-36
  @needs:temporary-subscriptions
  @needs:kill-clients
  Scenario: A subscription that ends because its consumer loses its connection makes room as its consumption does
    Given a destination of 1000 bytes, bound between wide queues
    And a consumer whose subscription to it ends with the consumer
    When the producer fills the destination
    And everything is consumed at the queues beside it
    And all of its messages but one are consumed
    Then the producer is stopped
    When the connection of this consumer breaks
    Then the producer is free

  @GENERAL-8
  @needs:several-bindings
  @needs:temporary-subscriptions
  @needs:kill-clients
  Scenario: A subscription that ends because its consumer loses its connection leaves nothing charged
    Given a destination of 1000 bytes, bound between wide queues
    And a consumer whose subscription to it ends with the consumer
    And the producer sent 2 messages of 400 bytes
    When everything is consumed at the queues beside it
    And the connection of this consumer breaks
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-42
  @needs:several-bindings
  @needs:address-limit
  @needs:purge
  Scenario: Of several queues whose messages go to pages, one that is purged holds nothing, and the others hold all
    Given a destination that pages past 400 bytes, bound between wide queues
    And the producer sent 6 messages of 400 bytes
    When the destination is purged
    Then it holds 0 messages, and the queues beside it hold 6 each
    When everything is consumed at the queues beside it
    Then it holds 0 messages, and the queues beside it hold 0 each
