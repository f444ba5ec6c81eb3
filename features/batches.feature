Feature: More messages than one batch
  A broker may remove, move or return messages batch by batch. What happens to all messages happens to the last batch too.

  @GENERAL-4
  @needs:changed-limits
  Scenario Outline: A purge of however many messages lets their producer go
    Given a destination with a limit of 1600 bytes
    And the producer sent <count> messages of 1 bytes
    When the producer fills the destination with messages of 1500 bytes
    Then the producer is stopped
    When the destination is purged
    Then the producer is free

    Examples: without the first thousand messages the destination is still full
      | count |
      | 2     |
      | 1100  |

  @GENERAL-41
  Scenario Outline: A move of however many messages lets their producer go
    Given a destination with a limit of 1600 bytes
    And another destination with room for all of it
    And the producer sent <count> messages of 1 bytes
    When the producer fills the destination with messages of 1500 bytes
    Then the producer is stopped
    When management moves what waits to the other
    Then the producer is free

    Examples:
      | count |
      | 2     |
      | 1100  |

  @GENERAL-11
  Scenario Outline: However many messages a closed consumer was handed, all of them go back
    Given a destination with a limit of 1000000 bytes
    And the producer sent <count> messages of 1 bytes
    When a consumer takes all messages and is closed
    Then the destination holds <count> bytes in <count> messages
    And each accepted message is delivered by the next consumer

    Examples:
      | count |
      | 2     |
      | 1100  |

  @GENERAL-12
  Scenario Outline: However many messages a consumer was handed whose connection breaks, all of them go back
    Given a destination with a limit of 1000000 bytes
    And the producer sent <count> messages of 1 bytes
    When a consumer takes all messages and its connection breaks
    Then the destination holds <count> bytes in <count> messages
    And each accepted message is delivered by the next consumer

    Examples:
      | count |
      | 2     |
      | 1100  |

  @GENERAL-16
  Scenario Outline: A transaction of however many messages is rolled back as a whole
    Given a destination with a limit of 1000000 bytes
    When a transacted producer rolls back <count> messages of 1 bytes
    Then the destination holds 0 bytes in 0 messages
    And only accepted messages are ever delivered

    Examples:
      | count |
      | 2     |
      | 1100  |

  @GENERAL-2
  @needs:transactions
  Scenario Outline: A transaction of however many messages is committed as a whole
    Given a destination with a limit of 1000000 bytes
    When a transacted producer commits <count> messages of 1 bytes together
    Then the destination holds <count> bytes in <count> messages
    And each accepted message was delivered once

    Examples:
      | count |
      | 2     |
      | 1100  |
