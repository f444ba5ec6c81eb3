Feature: Memory and message counts in WSO2 Message Broker
  When too little of the broker's memory is free, every publisher is stopped until the memory has recovered.

  @ANDES-MEMORY-1
  Scenario Outline: Publishers are stopped once less memory is free than the threshold
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 599  | free    |
      | 600  | free    |
      | 601  | stopped |

  @ANDES-MEMORY-1
  Scenario Outline: Where none of the memory must be free, publishers may use all of it
    Given a broker with 1000 bytes of memory of which 0 % must be free and 50 % recover
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 1000 | free    |
      | 1001 | stopped |

  @ANDES-MEMORY-2
  Scenario Outline: Publishers are let go once more memory is free than the recovery threshold
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 300   | 501  | stopped |
      | 301   | 500  | stopped |
      | 302   | 499  | free    |

  @ANDES-MEMORY-2
  Scenario: Time alone lets no publisher go
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer is attached
    And the memory is exhausted
    When 100000 ms pass
    Then the producer is stopped

  @ANDES-MEMORY-3
  Scenario: A publisher that has not published is stopped as well, whatever its queue
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a queue "audit" beside it
    And a producer for "audit" is attached
    When another producer sends a message of 601 bytes
    Then the other producer is stopped
    And the producer is stopped

  @ANDES-MEMORY-4
  Scenario Outline: Unless configured, 40 per cent of the memory must be free
    Given a broker with 1000 bytes of memory and nothing else configured
    When a producer sends a message of <size> bytes
    Then the producer is <state>

    Examples:
      | size | state   |
      | 600  | free    |
      | 601  | stopped |

  @ANDES-MEMORY-5
  Scenario Outline: Unless configured, more than 50 per cent must be free to go on
    Given a broker with 1000 bytes of memory and nothing else configured
    And a producer was stopped by messages of <first> and <rest> bytes
    When the first message is consumed
    Then the producer is <state>

    Examples:
      | first | rest | state   |
      | 301   | 500  | stopped |
      | 302   | 499  | free    |

  @ANDES-MEMORY-6
  Scenario: The broker finds out by itself that the memory has recovered
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer is attached
    And another producer was stopped by a message of 601 bytes
    When all messages are consumed
    Then the producer is free
    And the other producer is free

  @ANDES-COUNT-1
  Scenario Outline: A connection is held once more of its messages are on the broker than allowed
    Given a broker that allows 10 messages of one connection
    When a producer sends <count> messages of 1 bytes
    Then the producer is <state>

    Examples:
      | count | state   |
      | 9     | free    |
      | 10    | free    |
      | 11    | stopped |

  @ANDES-COUNT-3
  Scenario: A connection goes on once few enough of its messages are left
    Given a broker that allows 10 messages of one connection
    When a producer sends 11 messages of 1 bytes
    Then the producer is stopped
    When the first message is consumed
    Then the producer is free

  @ANDES-COUNT-2
  Scenario: The count of one connection stops its own producers and no others
    Given a broker that allows 10 messages of one connection
    And two producers on "line" and one on "other line"
    When the producer sends 11 messages of 1 bytes
    Then the producer is stopped
    And the sibling on its connection is stopped
    And the other producer is free
