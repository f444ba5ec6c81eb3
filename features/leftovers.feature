Feature: What use leaves behind
  An emptied destination is charged nothing and takes as many messages as before, however often it was used.

  @GENERAL-8
  @needs:close-clients
  Scenario Outline: After rounds of messages larger than the limit nothing is charged
    Given a destination with a limit of 1000 bytes
    When <rounds> times a message of 1500 bytes is sent and everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

    Examples:
      | rounds |
      | 20     |
      | 5      |

  @GENERAL-8
  @needs:address-limit
  Scenario Outline: After rounds of messages that were paged nothing is charged
    Given a destination that pages past 400 bytes
    When <rounds> times <count> messages of <size> bytes are sent and everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 5 messages of 400 bytes

    Examples:
      | rounds | count | size |
      | 3      | 3     | 1500 |
      | 5      | 12    | 100  |

  @GENERAL-8
  @needs:address-limit
  @needs:restarts-broker
  Scenario: After rounds of messages that were paged on disk nothing is charged
    Given a broker that keeps its data
    And a destination that pages past 400 bytes
    When 3 times 3 messages of 1500 bytes are sent and everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 5 messages of 400 bytes

  @GENERAL-8
  @needs:close-clients
  @needs:restarts-broker
  Scenario: After rounds of messages that were kept on disk nothing is charged
    Given a broker that keeps its data
    And a destination with a limit of 1000 bytes
    When 5 times a message of 1500 bytes is sent and everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-16
  Scenario Outline: After rounds of transactions that were rolled back nothing is charged
    Given a destination with a limit of 1000 bytes
    When <rounds> times a transaction of 4 messages of 200 bytes is rolled back
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

    Examples:
      | rounds |
      | 20     |
      | 5      |

  @GENERAL-8
  @needs:purge
  Scenario: After rounds of purges while a consumer holds messages nothing is charged
    Given a destination with a limit of 1000 bytes
    When 5 times 2 messages of 400 bytes are sent, handed out, purged and acknowledged
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:asynchronous-sends
  @needs:stops-producers
  Scenario: After rounds of messages that nobody waited for nothing is charged
    Given a destination with a limit of 1000 bytes
    When 4 times 2 messages of 400 bytes are sent without an answer and everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes messages of 998 and 1 bytes

  @GENERAL-8
  @needs:stops-producers
  Scenario: After rounds of producers that came while another one was stopped nothing is charged
    Given a destination with a limit of 1000 bytes
    When 3 times a producer comes while another one is stopped, and sends a message of 10 bytes before and after everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes messages of 998 and 1 bytes

  @GENERAL-8
  @needs:stops-producers
  Scenario: A destination that many messages went through takes as many as a new one
    Given a destination that few messages fill
    And another destination like it
    When messages of 5 bytes are sent to the first and consumed, 60 in all
    And a producer fills each, one after the other, and everything is consumed
    Then each took as many messages

  @GENERAL-8
  @needs:kill-clients
  Scenario: After rounds of producers whose connection breaks nothing is charged
    Given a destination with a limit of 1000 bytes
    When 5 times a producer sends a message of 400 bytes and its connection breaks
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-28
  Scenario: After rounds of connections that are cut in a send nothing is charged
    Given a destination with a limit of 1000 bytes
    When 4 times a connection is cut in a send of 400 bytes
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:several-bindings
  @needs:later-bindings
  Scenario: Queues that come and go leave nothing charged
    Given a destination of 1000 bytes, bound between wide queues
    And the producer sent 2 messages of 400 bytes
    When 5 times a queue is bound to it and deleted
    And the queues beside it are deleted
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:several-bindings
  @needs:later-bindings
  Scenario: Queues that come and go while messages arrive leave nothing charged
    Given a destination of 1000 bytes, bound between wide queues
    When 5 times a queue is bound to it, gets a message of 400 bytes and is deleted before it is consumed
    And the queues beside it are deleted
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:several-bindings
  @needs:later-bindings
  @needs:bursts
  Scenario: Queues that come and go right behind many messages leave nothing charged
    Given a destination of 1000 bytes, bound between wide queues
    When 4 times a queue is bound to it, gets 40 messages of 10 bytes at once and is deleted
    And the queues beside it are deleted
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:close-clients
  @needs:lists-messages
  Scenario: More messages than fit into the limit, which management lists, leave nothing charged
    Given a destination that keeps elsewhere what does not fit into 1000 bytes
    When 3 times 12 messages of 400 bytes come there, are listed twice, and are consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:close-clients
  @needs:purge
  Scenario: More messages than fit into the limit, which are purged, leave nothing charged
    Given a destination that keeps elsewhere what does not fit into 1000 bytes
    When 3 times 12 messages of 400 bytes come there, and are purged
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-40
  @needs:close-clients
  Scenario: More messages than fit into the limit, of which one is in hand while the others expire, leave nothing charged
    Given a destination that keeps elsewhere what does not fit into 1000 bytes
    When 3 times 12 messages of 400 bytes come there, one is handed out, the others expire, and it is acknowledged
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes
