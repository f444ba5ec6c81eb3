Feature: AMQP credit of Artemis
  A producer is issued credit in messages. The broker refills low credit, and issues none while the address is full.

  @ARTEMIS-AMQP-1
  Scenario Outline: A message takes one credit whatever its size
    Given an address with a maximum size of 100000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of <size> bytes
    Then the producer has 99 credits left

    Examples:
      | size   |
      | 1      |
      | 100    |
      | 1000   |
      | 100001 |

  @ARTEMIS-AMQP-1
  @needs:address-limit
  Scenario Outline: A producer may send as long as it has a credit left
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 1000 bytes
    And the producer tries to send <further> messages of 1 bytes
    Then the producer is <state>

    Examples:
      | further | state   |
      | 98      | free    |
      | 99      | stopped |

  @ARTEMIS-AMQP-2
  Scenario: Without configuration a producer is issued 100 credits
    Given an address for which nothing is configured
    Then a producer that attaches now is issued 100 credits

  @ARTEMIS-AMQP-2
  @needs:shared-connections
  Scenario: Each producer of a client is issued 100 credits of its own
    Given an address for which nothing is configured
    And two producers on "line" and one on "other line"
    Then each of the 3 producers has been issued 100 credits

  @ARTEMIS-AMQP-3
  Scenario Outline: Without configuration credit is refilled when 30 credits are left
    Given an address for which nothing is configured
    When a producer sends <sent> messages of 1 bytes
    Then the producer has <left> credits left, or 30 more if it was issued whole windows of 100

    Examples:
      | sent | left |
      | 69   | 31   |
      | 70   | 100  |
      | 71   | 99   |

  @ARTEMIS-AMQP-4
  Scenario Outline: Credit is refilled at the low mark, not before
    Given an address with a maximum size of 100000 bytes and policy BLOCK
    And its producers are issued <window> credits, again when <low> are left
    When a producer sends <sent> messages of 1 bytes
    Then the producer has <left> credits left

    Examples:
      | window | low | sent | left |
      | 100    | 30  | 69   | 31   |
      | 100    | 30  | 70   | 100  |
      | 100    | 30  | 71   | 99   |
      | 100    | 30  | 140  | 100  |
      | 100    | 30  | 350  | 100  |

  @ARTEMIS-AMQP-4
  @needs:any-credit-window
  Scenario Outline: A window of any size is refilled at its low mark
    Given an address with a maximum size of 100000 bytes and policy BLOCK
    And its producers are issued <window> credits, again when <low> are left
    When a producer sends <sent> messages of 1 bytes
    Then the producer has <left> credits left

    Examples:
      | window | low | sent | left |
      | 10     | 3   | 6    | 4    |
      | 10     | 3   | 70   | 10   |
      | 10     | 9   | 1    | 10   |
      | 10     | 0   | 9    | 1    |
      | 10     | 0   | 10   | 10   |

  @ARTEMIS-AMQP-4
  @needs:any-credit-window
  Scenario Outline: The smallest window, and one larger than usual, are refilled at their low mark
    Given an address with a maximum size of 100000 bytes and policy BLOCK
    And its producers are issued <window> credits, again when <low> are left
    When a producer sends <sent> messages of 1 bytes
    Then the producer has <left> credits left

    Examples:
      | window | low | sent | left |
      | 1      | 0   | 3    | 1    |
      | 1000   | 998 | 1    | 999  |

  @ARTEMIS-AMQP-4
  @needs:any-credit-window
  Scenario Outline: A window past 16 bits is refilled at its low mark
    Given an address with a maximum size of 100000 bytes and policy BLOCK
    And its producers are issued <window> credits, again when <low> are left
    When a producer sends <sent> messages of 1 bytes
    Then the producer has <left> credits left

    Examples:
      | window | low   | sent | left  |
      | 40000  | 39998 | 1    | 39999 |
      | 70000  | 69998 | 2    | 70000 |

  @ARTEMIS-AMQP-5
  Scenario Outline: No credit is issued while the address is full
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of <first> bytes
    And the producer sends 68 messages of 10 bytes
    And the producer tries to send a message of 10 bytes
    Then the producer has <left> credits left, or 30 more if it was issued whole windows of 100

    Examples: the 70th message takes the address to 999 bytes, or finds it at 1000 or 1001
      | first | left |
      | 309   | 100  |
      | 320   | 30   |
      | 321   | 30   |

  @ARTEMIS-AMQP-5
  Scenario: Each of two addresses issues credit by what it holds itself
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    And a second address like it
    When a producer of each sends messages of 400 bytes until its sends are held back
    Then each took at most 100 messages

  @ARTEMIS-AMQP-6
  Scenario: Credit is issued again once space is free
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    And a producer is attached
    And the producer sent 68 messages of 1 bytes
    And the producer sent a message of 940 bytes
    When the producer tries to send a message of 1 bytes
    And messages are consumed until 999 bytes are left
    Then the producer has 100 credits left, or 30 more if it was issued whole windows of 100

  @ARTEMIS-AMQP-5
  Scenario Outline: No credit is issued while messages leave an address that stays full
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    And a producer is attached
    And the producer sent 68 messages of 1 bytes
    And the producer sent a message of 940 bytes
    When the producer tries to send a message of 1 bytes
    And messages are consumed until <held> bytes are left
    Then the producer has 30 credits left

    Examples: the last message finds the address full, and may be rejected
      | held |
      | 1000 |
      | 1001 |

  @ARTEMIS-AMQP-7
  Scenario: Messages sent on credits already held may be accepted by a full address
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 1000 bytes
    Then a further message of 10 bytes may be accepted

  @ARTEMIS-AMQP-8
  Scenario Outline: Producers overshoot by no more messages than they hold credits
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When <producers> producers send messages of 1000 bytes until each is out of credit
    Then the address holds at most <messages> messages

    Examples:
      | producers | messages |
      | 1         | 100      |
      | 2         | 200      |

  @ARTEMIS-AMQP-8
  Scenario Outline: After a refresh a producer overshoots by no more than a window
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends <sent> messages of 1 bytes
    And another producer sends a message of 1000 bytes
    And the producer sends on until it is out of credit
    Then the address holds at most <messages> messages

    Examples: each message that it sent, a window, and the other one
      | sent | messages |
      | 70   | 171      |
      | 140  | 241      |

  @ARTEMIS-AMQP-8
  @needs:bursts
  Scenario Outline: Many producers who send at once overshoot by no more messages than they hold credits
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When <producers> producers that are there before send <sent> messages of 10 bytes at once
    Then the address holds at most <messages> messages

    Examples: the 100 messages that fill the address, and a window for each producer
      | producers | sent | messages |
      | 12        | 1800 | 1300     |
      | 5         | 900  | 600      |
      | 2         | 500  | 300      |
      | 1         | 300  | 200      |

  @ARTEMIS-AMQP-8
  @needs:bursts
  Scenario Outline: Producers who attach while an address fills overshoot by no more messages than they hold credits
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When <producers> producers attach one after the other, and each sends 300 messages of 10 bytes at once
    Then the address holds at most <messages> messages

    Examples: the first fills the address, and the others are issued nothing
      | producers | messages |
      | 12        | 200      |
      | 5         | 200      |
      | 2         | 200      |

  @ARTEMIS-AMQP-6
  Scenario: The message that makes room is enough for every producer
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When 3 producers send messages of 10 bytes until each is out of credit
    And messages are consumed until 990 bytes are left
    Then every producer is free

  @ARTEMIS-AMQP-6
  @needs:bursts
  Scenario Outline: Many producers who sent at once all go on once space is free
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When <producers> producers that are there before send <sent> messages of 10 bytes at once
    And all messages are consumed
    Then every producer is free

    Examples:
      | producers | sent |
      | 5         | 900  |
      | 2         | 500  |

  @ARTEMIS-AMQP-9
  Scenario Outline: Messages are rejected once the address holds its reject threshold
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 2000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of <held> bytes
    When the producer sends a message of 10 bytes
    Then the message is <outcome>
    And the address holds <bytes> bytes

    Examples:
      | held | outcome  | bytes |
      | 1989 | accepted | 1999  |
      | 1999 | accepted | 2009  |
      | 2000 | rejected | 2000  |
      | 2001 | rejected | 2001  |

  @ARTEMIS-AMQP-9
  Scenario Outline: A reject threshold holds where there is no maximum size, too
    Given an address with a maximum size of -1 bytes, policy BLOCK and a reject threshold of 2000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of <held> bytes
    When the producer sends a message of 10 bytes
    Then the message is <outcome>

    Examples:
      | held | outcome  |
      | 1999 | accepted |
      | 2000 | rejected |

  @ARTEMIS-AMQP-9
  Scenario: A reject threshold of 0 rejects each message
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 0 bytes
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 10 bytes
    Then the message is rejected
    And the address holds 0 bytes

  @ARTEMIS-AMQP-1
  @needs:reject-threshold
  Scenario: A rejected message takes one credit, too
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 2000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of 3000 bytes
    When the producer sends a message of 10 bytes
    Then the message is rejected
    And the producer has used up at least 2 of the credits that it was issued

  @ARTEMIS-AMQP-4
  @needs:reject-threshold
  Scenario: A producer is issued credit again however many of its messages are rejected
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 2000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of 3000 bytes
    When the producer tries to send 120 messages of 10 bytes
    Then the producer is free

  @ARTEMIS-AMQP-4
  @needs:reject-threshold
  @needs:bursts
  @needs:settled-sends
  Scenario: A producer of settled messages is issued credit again however many of them are rejected
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 2000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And another producer sent a message of 3000 bytes
    When 120 settled messages of 10 bytes are offered to it at once
    Then the producer is free

  @ARTEMIS-AMQP-9
  Scenario Outline: What consumers have in hand counts towards the reject threshold
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 2000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of <held> bytes
    When a consumer takes all that the address holds
    And the producer sends a message of 10 bytes
    Then the message is <outcome>

    Examples:
      | held | outcome  |
      | 1000 | accepted |
      | 3000 | rejected |

  @ARTEMIS-AMQP-9
  @needs:changed-limits
  Scenario Outline: A changed reject threshold holds at once
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of <before> bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of 1500 bytes
    When its reject threshold is changed to <after> bytes
    And the producer sends a message of 10 bytes
    Then the message is <outcome>

    Examples:
      | before | after | outcome  |
      | 1000   | 2000  | accepted |
      | 2000   | 1000  | rejected |

  @ARTEMIS-AMQP-10
  Scenario: An address for which nothing is configured has no reject threshold
    Given an address for which nothing is configured
    Then management reads a reject threshold of -1 bytes

  @ARTEMIS-AMQP-11
  Scenario: A reject threshold of -1 rejects nothing for its size
    Given an address with a maximum size of 100000 bytes, policy BLOCK and a reject threshold of -1 bytes
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 10000 bytes
    Then the message is accepted
    When the producer sends a message of 10 bytes
    Then the message is accepted
