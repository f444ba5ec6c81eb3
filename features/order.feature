Feature: The order of messages
  A consumer gets the messages of one producer in the order of their sends, also messages that waited for room.

  @GENERAL-52
  Scenario: Messages for which there is room keep their order
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When everything is consumed
    Then the messages of each producer came in the order in which they were sent

  @GENERAL-52
  @needs:stops-producers
  Scenario Outline: Messages that fill a destination keep their order
    Given a destination that <producers> producers fill until none may send
    When everything is consumed
    Then the messages of each producer came in the order in which they were sent

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-52
  @needs:stops-producers
  Scenario: Messages of the next round come after those of the round before
    Given a destination that a producer fills until it may not send
    When the producer tries to send one more message
    And everything is consumed
    And the producer tries to send one more message
    And everything is consumed
    Then the messages of each producer came in the order in which they were sent

  @GENERAL-52
  @needs:stops-producers
  @needs:asynchronous-sends
  @needs:producer-window
  Scenario: Several messages of one producer that wait for room keep their order
    Given a destination with a limit of 1000 bytes
    And an asynchronous producer with a window of 1500 bytes
    When the producer sends messages of 400 bytes until a send waits
    And everything is consumed
    Then the messages of each producer came in the order in which they were sent
