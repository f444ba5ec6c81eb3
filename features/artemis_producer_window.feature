Feature: The producer window of Artemis
  Core producers ask for credit in bytes, and are granted what their address has room for.

  @ARTEMIS-CORE-1
  Scenario Outline: A message needs a credit for each of its bytes
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 5000 bytes
    When the producer tries to send a message of <size> bytes
    Then its send <state>

    Examples:
      | size | state   |
      | 999  | returns |
      | 1000 | returns |
      | 1001 | waits   |

  @GENERAL-21
  @needs:core-window
  @needs:late-answers
  Scenario: A message larger than the window is sent if there is room
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 300 bytes
    When the producer tries to send a message of 301 bytes
    Then its send returns

  @ARTEMIS-CORE-2
  Scenario Outline: Credit counts bytes, not messages
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 1 bytes
    When the producer tries to send <count> messages of <size> bytes
    Then its send <state>

    Examples:
      | count | size | state   |
      | 10    | 100  | returns |
      | 11    | 100  | waits   |
      | 100   | 10   | returns |
      | 101   | 10   | waits   |

  @ARTEMIS-CORE-3
  Scenario Outline: A producer has no more credit than its window
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 300 bytes
    And the producer sent a message of 1 bytes
    When another producer sends a message of 999 bytes
    And the producer tries to send a message of <size> bytes
    Then its send <state>

    Examples:
      | size | state   |
      | 298  | returns |
      | 299  | returns |
      | 300  | waits   |

  @ARTEMIS-CORE-3
  Scenario: A producer that asks again has no more credit than its window
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 300 bytes
    And the producer sent a message of 299 bytes
    And the producer sent a message of 300 bytes
    When another producer sends a message of 401 bytes
    And the producer tries to send a message of 1 bytes
    Then its send waits

  @ARTEMIS-CORE-4
  Scenario Outline: A producer is granted its window if the address has room for it
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And another producer sent a message of 600 bytes
    And a producer with a window of 400 bytes
    And the producer sent a message of 1 bytes
    When another producer sends a message of 399 bytes
    And the producer tries to send a message of <size> bytes
    Then its send <state>

    Examples:
      | size | state   |
      | 399  | returns |
      | 400  | waits   |

  @ARTEMIS-CORE-5
  Scenario Outline: A producer is granted no more than the address has room for
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And another producer sent a message of 700 bytes
    And a producer with a window of 400 bytes
    And the producer sent a message of 1 bytes
    When another producer sends a message of 299 bytes
    And the producer tries to send a message of <size> bytes
    Then its send <state>

    Examples:
      | size | state   |
      | 298  | returns |
      | 299  | returns |
      | 300  | waits   |

  @ARTEMIS-CORE-5
  Scenario: One byte of room is granted too
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And another producer sent a message of 999 bytes
    And a producer with a window of 400 bytes
    When the producer tries to send a message of 1 bytes
    Then its send returns

  @ARTEMIS-CORE-5
  Scenario: Beside one byte of room two are not granted
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And another producer sent a message of 999 bytes
    And a producer with a window of 400 bytes
    When the producer tries to send a message of 2 bytes
    Then its send waits

  @ARTEMIS-CORE-5
  Scenario Outline: What a producer has left takes of the room for more
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 400 bytes
    And the producer sent a message of 100 bytes
    When another producer sends a message of <size> bytes
    And the producer tries to send a message of 400 bytes
    Then its send <state>

    Examples:
      | size | state   |
      | 500  | returns |
      | 501  | waits   |

  @ARTEMIS-CORE-5
  Scenario: A send goes on waiting beside less room than its message takes
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 1 bytes
    And the producer sent a message of 399 bytes
    And the producer sent a message of 601 bytes
    When the producer tries to send a message of 400 bytes
    Then its send waits
    When the first message is consumed
    Then that send still waits

  @ARTEMIS-CORE-5
  Scenario Outline: Beside a producer that waits, every other one is granted what fits, whenever it came
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And 4 producers with windows of 1 bytes are attached
    When the first of them sends a message of 900 bytes
    And the <which> of them sends a message of 200 bytes
    Then the <which> of them is stopped
    And a message of 20 bytes of each but the <which> is accepted, and one of a latecomer

    Examples:
      | which |
      | first |
      | third |

  @ARTEMIS-CORE-5
  Scenario: Each of two addresses grants its own producer what it has room for
    Given a Core address "first" with a maximum size of 1000 bytes and policy BLOCK
    And a Core address "second" with a maximum size of 1000 bytes and policy BLOCK
    When a producer of each sends messages of 400 bytes until its sends are held back
    Then each took 2 messages

  @ARTEMIS-CORE-6
  Scenario Outline: Producers take an address past its limit by no more than a window each
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    When <producers> producers with windows of 300 bytes send as much as they can, in turn by 100 bytes
    Then the queue holds at most <most> bytes

    Examples:
      | producers | most |
      | 1         | 1300 |
      | 2         | 1600 |
      | 5         | 2500 |

  @ARTEMIS-CORE-6
  Scenario Outline: Producers of the smallest messages take an address past its limit by no more than a window each
    Given a Core address with a maximum size of 100 bytes and policy BLOCK
    When <producers> producers with windows of 30 bytes send as many of the smallest messages as they can
    Then the queue holds at most <most> bytes

    Examples:
      | producers | most |
      | 1         | 130  |
      | 2         | 160  |
      | 5         | 250  |

  @ARTEMIS-CORE-6
  @needs:refusing-policy
  @needs:changed-limits
  Scenario Outline: A producer whose messages were refused takes an address past its limit by no more than a window
    Given a Core address with a maximum size of 1000 bytes and policy FAIL
    And a producer with a window of 300 bytes
    When <offered> messages of 100 bytes are offered to it
    And everything is consumed
    And it is changed to one that stops its producers, with a limit of 1000 bytes
    And the producer sends messages of 100 bytes until a send waits
    Then the queue holds at most 1300 bytes

    Examples:
      | offered |
      | 10      |
      | 15      |
      | 20      |

  @GENERAL-31
  @needs:core-window
  @needs:asynchronous-sends
  Scenario Outline: A producer that waits for no answer is refused each message once one was refused
    Given a Core address with a maximum size of 1000 bytes and policy FAIL
    And an asynchronous producer with a window of <window> bytes
    When messages of 100 bytes are offered to it until one is refused
    And 5 messages of 100 bytes are offered to it
    Then the last 5 of them are refused

    Examples:
      | window |
      | 300    |
      | 5000   |

  @ARTEMIS-CORE-7
  Scenario: Two producers may take an address past its limit
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 300 bytes
    And the producer sent a message of 1 bytes
    When another producer sends a message of 999 bytes
    And the producer tries to send a message of 100 bytes
    Then the address may hold more than 1000 bytes

  @ARTEMIS-CORE-8
  Scenario Outline: A send waits until there is room for its message
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 1 bytes
    And the producer sent a message of <first> bytes
    And the producer sent a message of <rest> bytes
    When the producer tries to send a message of 400 bytes
    Then its send waits
    When the first message is consumed
    Then that send <state>

    Examples:
      | first | rest | state            |
      | 400   | 600  | has gone through |
      | 401   | 599  | has gone through |

  @ARTEMIS-CORE-9
  Scenario: A client that ignores its credit is not stopped by the server
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And a producer that ignores its credit
    And another producer sent a message of 1000 bytes
    When the producer tries to send a message of 500 bytes
    Then its send returns
    And the address holds 1500 bytes

  @ARTEMIS-CORE-10
  Scenario Outline: Only policy BLOCK makes a Core producer wait
    Given a Core address with a maximum size of 1000 bytes and policy <policy>
    And a producer with a window of 1 bytes
    When the producer tries to send 2 messages of 1000 bytes
    Then its send <state>

    Examples:
      | policy | state   |
      | PAGE   | returns |
      | BLOCK  | waits   |

  @ARTEMIS-CORE-11
  Scenario Outline: A topic's subscriptions stop its producers
    Given a Core topic with a maximum size of 1000 bytes and policy BLOCK
    And a producer with a window of 1 bytes
    When the producer tries to send 2 messages of <size> bytes
    Then its send <state>

    Examples:
      | size | state   |
      | 500  | returns |
      | 1000 | waits   |

  @ARTEMIS-CORE-12
  Scenario: A producer is not granted one byte more than the address has room for
    Given a Core address with a maximum size of 1000 bytes and policy BLOCK
    And another producer sent a message of 700 bytes
    And a producer with a window of 400 bytes
    When the producer tries to send a message of 301 bytes
    Then its send waits
