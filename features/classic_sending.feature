Feature: How producers of ActiveMQ Classic send
  A producer that waits for answers learns that there is no space. Any other producer needs a window for that.

  @CLASSIC-SEND-1
  Scenario: Persistent messages are sent synchronously unless configured otherwise
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And a producer of persistent messages that is not configured further
    When the producer sends 1 further messages of 10 bytes
    Then its send waits

  @CLASSIC-SEND-1
  Scenario: Other messages are sent asynchronously unless configured otherwise
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And a producer of non-persistent messages that is not configured further
    When the producer sends 1 further messages of 10 bytes
    Then its send returns

  @CLASSIC-SEND-2
  Scenario: A producer that does not wait for answers is not told of a full queue
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And an asynchronous producer
    When the producer sends 1 further messages of 10 bytes
    Then its send returns
    And the queue comes to hold 1 messages

  @CLASSIC-SEND-3
  Scenario: A producer of non-persistent messages that always sends synchronously is held back
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And a producer of non-persistent messages that always sends synchronously
    When the producer sends 1 further messages of 10 bytes
    Then its send waits

  @CLASSIC-SEND-4
  Scenario: A producer of persistent messages that sends asynchronously is not held back
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And a producer of persistent messages that always sends asynchronously
    When the producer sends 1 further messages of 10 bytes
    Then its send returns

  @CLASSIC-WINDOW-1
  Scenario Outline: A producer sends no more bytes without an answer than its window has
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And an asynchronous producer with a window of 500 bytes
    When the producer sends 1 further messages of 400 bytes
    And the producer sends 1 further messages of <size> bytes
    Then its send <state>

    Examples:
      | size | state   |
      | 99   | returns |
      | 100  | returns |
      | 101  | waits   |

  @CLASSIC-WINDOW-2
  Scenario: An answer makes room in the window again
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    And an asynchronous producer with a window of 500 bytes
    When the producer sends messages of 400 bytes until a send waits
    Then the producer is stopped
    When all messages are consumed
    Then the producer is free

  @CLASSIC-WINDOW-2
  Scenario: However many of its messages had to wait, a producer has its window again
    Given a queue with a memory limit of 10 bytes
    And an asynchronous producer with a window of 20 bytes
    When 6 times the producer sends messages of 1 bytes until a send waits, and all messages are consumed
    Then the producer is free

  @CLASSIC-WINDOW-2
  @needs:shared-connections
  Scenario: What one producer has on its way takes nothing of the window of another on its connection
    Given a queue "full" with a memory limit of 1000 bytes
    And a queue "empty" with a memory limit of 100000 bytes
    And "full" holds a message of 1000 bytes
    And an asynchronous producer on "line" with a window of 500 bytes
    And another on "line" that sends to "empty" with a window of 500 bytes
    When the producer sends messages of 400 bytes until a send waits
    And the other producer sends 5 messages of 400 bytes
    Then the other producer is free

  @CLASSIC-WINDOW-3
  Scenario: A connection whose client heeds no answers may be stalled as a whole
    Given a queue "full" with a memory limit of 1000 bytes
    And a queue "empty" with a memory limit of 1000 bytes
    And "full" holds a message of 1000 bytes
    And an asynchronous producer on "line" that sends to "full"
    And another asynchronous producer on "line" that sends to "empty"
    When the producer sends 3 further messages of 10 bytes
    And the other producer sends a message of 10 bytes
    Then "empty" may be held empty by the connection

  @CLASSIC-WINDOW-4
  Scenario Outline: Producers with windows overrun a full queue by their windows at most
    Given a queue with a memory limit of 1000 bytes
    And the queue holds a message of 1000 bytes
    When <producers> asynchronous producers with a window of 50 bytes send messages of <size> bytes until each waits
    Then they have sent at most <most> bytes

    Examples:
      | producers | size | most |
      | 1         | 10   | 50   |
      | 3         | 10   | 150  |
      | 3         | 20   | 150  |
