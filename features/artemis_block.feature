Feature: An Artemis address under BLOCK
  Once an address holds its maximum size, its producers are issued no more credit.

  @ARTEMIS-BLOCK-1
  Scenario Outline: An address is full once its bytes reach its maximum size
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of <size> bytes
    Then a producer that attaches now is issued <credits> credits

    Examples:
      | size | credits |
      | 999  | 100     |
      | 1000 | 0       |
      | 1001 | 0       |

  @ARTEMIS-BLOCK-2
  Scenario: An address for which nothing is configured has a maximum size of 10 MiB
    Given an address for which nothing is configured
    Then management reads a maximum size of 10485760 bytes

  @ARTEMIS-BLOCK-2
  Scenario: An address for which nothing is configured has policy BLOCK
    Given an address for which nothing is configured
    Then management reads policy BLOCK

  @ARTEMIS-BLOCK-3
  Scenario Outline: Only policy BLOCK stops producers
    Given an address with a maximum size of 1000 bytes and policy <policy>
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 1001 bytes
    Then a producer that attaches now is issued <credits> credits

    Examples:
      | policy | credits |
      | PAGE   | 100     |
      | BLOCK  | 0       |

  @ARTEMIS-BLOCK-3
  Scenario: An address that fails sends stops no producer
    Given an address with a maximum size of 1000 bytes and policy FAIL
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 1001 bytes
    Then a producer that attaches now is issued 100 credits

  @ARTEMIS-BLOCK-3
  @needs:message-limit
  Scenario Outline: A limit in messages stops no producer under another policy than BLOCK
    Given an address with a maximum size of 1000 bytes, policy <policy> and a limit of <limit> messages
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends 3 messages of 100 bytes
    Then a producer that attaches now is issued 100 credits

    Examples:
      | policy | limit |
      | PAGE   | 2     |
      | FAIL   | 3     |

  @ARTEMIS-BLOCK-3
  @needs:shared-limits
  Scenario: Past a limit of all addresses together nobody is stopped who sends to one that pages
    Given all addresses together may hold 1000 bytes, and page what is more
    When a producer sends 130 messages of 20 bytes one after the other
    Then the producer is free

  @ARTEMIS-BLOCK-3
  @needs:shared-limits
  @needs:anonymous-producers
  Scenario: Past a limit of all addresses together nobody is stopped who names one that pages
    Given all addresses together may hold 1000 bytes, and page what is more
    When an anonymous producer sends 130 messages of 20 bytes one after the other
    Then the producer is free

  @ARTEMIS-BLOCK-3
  @needs:changed-limits
  Scenario Outline: A changed policy holds at once for a full address
    Given an address with a maximum size of 1000 bytes and policy <before>
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 1001 bytes
    And its policy is changed to <after>
    Then a producer that attaches now is issued <credits> credits

    Examples:
      | before | after | credits |
      | BLOCK  | PAGE  | 100     |
      | PAGE   | BLOCK | 0       |

  @ARTEMIS-BLOCK-1
  @needs:changed-limits
  Scenario Outline: A policy that is changed and changed back holds as before
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When its policy is changed to <other>
    And its policy is changed to BLOCK
    And a producer sends a message of 1001 bytes
    Then a producer that attaches now is issued 0 credits

    Examples:
      | other |
      | PAGE  |
      | FAIL  |

  @ARTEMIS-BLOCK-3
  @needs:changed-limits
  Scenario: A policy that does not stop producers lets go those that are stopped
    Given an address with a maximum size of 1000 bytes and policy BLOCK
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of 1001 bytes
    And the producer tries to send 99 messages of 1 bytes
    Then the producer is stopped
    When its policy is changed to PAGE
    Then the producer is free

  @GENERAL-16
  @needs:address-limit
  Scenario Outline: Of a transaction that is refused nothing is stored
    Given an address with a maximum size of 1000 bytes and policy <policy>
    And its producers are issued 100 credits, again when 30 are left
    When a producer sends a message of <held> bytes
    And another, transacted producer commits messages of 100 and 200 bytes
    Then only accepted messages are ever delivered

    Examples:
      | policy | held |
      | FAIL   | 1000 |
      | BLOCK  | 1000 |

  @GENERAL-16
  @needs:reject-threshold
  Scenario: Of a transaction that is refused for its last message nothing is stored
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 1000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of 900 bytes
    When another, transacted producer sends a message of 50 bytes
    And the producer sends a message of 100 bytes
    And the transacted producer sends a message of 50 bytes and commits
    Then only accepted messages are ever delivered

  @GENERAL-21
  @needs:reject-threshold
  @needs:transactions
  Scenario: After a rollback of a transaction with a rejected message, the next transaction is committed
    Given an address with a maximum size of 10000 bytes, policy BLOCK and a reject threshold of 1000 bytes
    And its producers are issued 100 credits, again when 30 are left
    And a producer sent a message of 1000 bytes
    When another, transacted producer sends a message of 50 bytes
    And the transacted producer rolls back
    And all messages are consumed
    And the transacted producer sends a message of 50 bytes and commits
    Then the address holds 50 bytes
