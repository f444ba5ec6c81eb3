Feature: Clients of WSO2 Message Broker that may not publish
  A blocked publish waits, and its client says so. In the end the publish fails, and its connection ends.

  @ANDES-CLIENT-1
  Scenario: A publish waits while its producer is stopped, and goes on afterwards
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    Then its send waits
    And the queue holds 1000 bytes
    When all messages are consumed
    Then that send has gone through

  @ANDES-CLIENT-2
  Scenario Outline: A publish fails once it has waited for the configured time
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then that send <state>

    Examples:
      | passed | state       |
      | 59999  | still waits |
      | 60000  | has failed  |
      | 60001  | has failed  |

  @ANDES-CLIENT-2
  Scenario: A publish fails at its time, also between two notices
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 25000 ms and says so every 10000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And 25000 ms pass
    Then that send has failed

  @ANDES-CLIENT-3
  Scenario Outline: A client whose publish has failed ends its connection
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then its client <state>

    Examples:
      | passed | state                     |
      | 59999  | is still connected        |
      | 60000  | has no connection any more |

  @ANDES-CLIENT-4
  Scenario Outline: Unless configured, a publish waits for 120 s
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client is not configured
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then that send <state>

    Examples:
      | passed | state       |
      | 119999 | still waits |
      | 120000 | has failed  |

  @ANDES-CLIENT-5
  Scenario Outline: Unless configured, a client says every 5 s that it waits
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client is not configured
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then its client has said <times> times that it waits

    Examples:
      | passed | times |
      | 4999   | 0     |
      | 5000   | 1     |
      | 14999  | 2     |

  @ANDES-CLIENT-6
  Scenario: A publish that fails throws an error
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And 60000 ms pass
    Then that send has failed
    And an error was thrown to its caller

  @ANDES-CLIENT-7
  Scenario Outline: While a publish waits its client says so once in each period
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 60000 ms and says so every 10000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then its client has said <times> times that it waits

    Examples:
      | passed | times |
      | 9999   | 0     |
      | 10000  | 1     |
      | 10001  | 1     |
      | 59999  | 5     |
      | 60000  | 5     |

  @ANDES-CLIENT-8
  Scenario Outline: A publish that waits is told of once for each full period
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 70000 ms and says so every 20000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And <passed> ms pass
    Then its client has said <times> times that it waits

    Examples:
      | passed | times |
      | 19999  | 0     |
      | 20000  | 1     |
      | 20001  | 1     |

  @ANDES-CLIENT-8
  Scenario: A publish that waits on is told of again
    Given a broker with 1000 bytes of memory of which 40 % must be free and 50 % recover
    And a producer whose client waits 70000 ms and says so every 20000 ms
    And the memory is exhausted
    When the producer tries to send a message of 10 bytes
    And 50000 ms pass
    Then its client has said 2 times that it waits
