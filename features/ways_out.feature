Feature: Further ways by which messages leave
  Messages expire, consumers refuse them for good, and management moves them or looks at them. What is gone takes no
  space, and stops nobody.

  @GENERAL-40
  Scenario: Messages whose time is over are handed to nobody, and let their producer go
    Given a destination that few messages fill
    When the producer sends messages that live 200 ms until it may not
    And their time is over and a consumer asks for messages
    Then it is handed nothing
    And the producer is free

  @GENERAL-40
  Scenario: Messages whose time is over take no space
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And their time is over and a consumer asks for messages
    Then it is handed nothing
    And the destination holds 0 bytes in 0 messages

  @GENERAL-40
  @needs:close-clients
  Scenario: What a consumer has in hand takes its space while another message expires
    Given a destination that few messages fill
    When a producer fills it beside a message in hand, once as it is and once after another message expired
    Then it took no more messages the second time

  @GENERAL-40
  @needs:asynchronous-sends
  @needs:producer-window
  Scenario: Messages whose time is over as they come take nothing of their producer's window
    Given a destination with a limit of 1000000 bytes
    And an asynchronous producer with a window of 1000 bytes
    When the producer sends 20 messages of 400 bytes that live 1 ms
    And their time is over and a consumer asks for messages
    Then it is handed nothing
    And the producer is free

  @GENERAL-8
  @needs:expiring-messages
  @needs:close-clients
  Scenario: After rounds of messages that expired nothing is charged
    Given a destination with a limit of 1000 bytes
    When 4 times 2 messages of 400 bytes are sent that live 100 ms, and expire
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-41
  Scenario Outline: A move releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    And another destination with room for all of it
    When management moves what waits to the other
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-41
  Scenario: What is moved is charged where it went, and nowhere else
    Given a destination with a limit of 1000 bytes
    And another destination with room for all of it
    And the producer sent 2 messages of 400 bytes
    When management moves what waits to the other
    Then the destination holds 0 bytes in 0 messages
    And the other destination holds 2 messages

  @GENERAL-41
  @needs:close-clients
  Scenario: What a consumer has in hand takes its space while the rest is moved
    Given a destination that few messages fill
    And another destination with room for all of it
    When a producer fills it beside a message in hand, once as it is and once after another message was moved
    Then it took no more messages the second time

  @GENERAL-41
  Scenario: Each of many messages that were moved is handed out where it went
    Given a destination with room for everything that comes
    And another destination that keeps elsewhere what does not fit into 1000 bytes
    And a producer sent 12 messages of 400 bytes, which are kept on disk where they can be
    When management moves what waits to the other
    Then the other destination hands out 12 messages
    And nothing is charged at the other destination

  @GENERAL-8
  @needs:moves-messages
  @needs:close-clients
  Scenario: After rounds of messages that were moved nothing is charged
    Given a destination with a limit of 1000 bytes
    And another destination with room for all of it
    When 4 times 2 messages of 400 bytes are sent, one is handed out, and all others are moved and consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:lists-messages
  @needs:close-clients
  Scenario: After rounds in which management listed the messages nothing is charged
    Given a destination with a limit of 1000 bytes
    When 4 times 2 messages of 400 bytes are sent, listed by management and consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:lists-messages
  @needs:message-properties
  @needs:close-clients
  Scenario: After rounds in which management listed messages with properties nothing is charged
    Given a destination with a limit of 1000 bytes
    When 4 times 2 messages of 400 bytes with 5 properties are sent, listed by management and consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-43
  Scenario Outline: What a consumer refuses for good releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    When a consumer refuses for good all that it is handed
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-43
  Scenario: What a consumer refuses for good is charged no longer, and given to nobody else
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When a consumer takes all messages, refuses the last for good, and is closed
    Then the destination holds 400 bytes in 1 messages
    And each accepted message that is left is delivered once

  @GENERAL-43
  @needs:close-clients
  Scenario: What a consumer has in hand takes its space while another message is refused for good
    Given a destination that few messages fill
    When a producer fills it beside a message in hand, once as it is and once after another message was refused for good
    Then it took no more messages the second time

  @GENERAL-8
  @needs:dead-letters
  @needs:close-clients
  Scenario: After rounds of messages that a consumer refused for good nothing is charged
    Given a destination with a limit of 1000 bytes
    When 4 times 2 messages of 400 bytes are sent, the last is refused for good and the first consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:browsed-messages
  @needs:close-clients
  Scenario: After rounds in which a client browsed the messages nothing is charged
    Given a destination with a limit of 1000 bytes
    When 4 times 2 messages of 400 bytes are sent, browsed while one is in hand, and consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:browsed-messages
  @needs:close-clients
  Scenario: More messages than fit into the limit, which a client browsed, leave nothing charged
    Given a destination that keeps elsewhere what does not fit into 1000 bytes
    When 3 times 12 messages of 400 bytes come there, are browsed, and are consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:filtering-consumers
  @needs:message-properties
  @needs:close-clients
  Scenario: After rounds of messages with properties that passed no filter nothing is charged
    Given a destination with a limit of 1000 bytes
    And a consumer of it whose filter no message passes
    When 4 times 2 messages of 400 bytes with 5 properties are sent and consumed
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-8
  @needs:recreated-destinations
  @needs:close-clients
  Scenario: What a deleted destination held is not charged to a new one of its name
    Given a destination with a limit of 1000 bytes
    When 4 times 2 messages of 400 bytes are sent, and it is deleted and created again
    Then the destination holds 0 bytes in 0 messages
    And it takes 2 messages of 400 bytes

  @GENERAL-40
  @needs:moves-messages
  Scenario: What was moved expires where it went
    Given a destination with a limit of 1000 bytes
    And another destination with room for all of it
    When the producer sends 2 messages of 400 bytes that live 1000 ms
    And management moves what waits to the other
    And the time of what was moved is over and a consumer asks for it
    Then it is handed nothing

  @GENERAL-23
  @needs:moves-messages
  Scenario: What was moved outlives the broker where it went
    Given a broker that keeps its data
    And a destination with a limit of 1000 bytes
    And another destination that is like it, with room for all of it
    And the producer sent 2 messages of 400 bytes
    When management moves what waits to the other
    And the broker is killed and started again
    Then the other destination hands out 2 messages

  @GENERAL-8
  @needs:expiring-messages
  Scenario: What expires in the hand of a consumer is given back once
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And a consumer takes all messages, and acknowledges them once their time is over
    Then the destination holds 0 bytes in 0 messages

  @GENERAL-22
  @needs:expiring-messages
  Scenario: What expires in the hand of a consumer brings no figure below zero
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And a consumer takes all messages, and acknowledges them once their time is over
    Then no figure was ever below zero

  @GENERAL-40
  @needs:restarts-broker
  Scenario: What was there before a restart of the broker expires as well
    Given a broker that keeps its data
    And a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And the broker is killed and started again
    And their time is over and a consumer asks for messages
    Then it is handed nothing
    And the destination holds 0 bytes in 0 messages
