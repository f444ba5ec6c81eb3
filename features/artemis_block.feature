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
