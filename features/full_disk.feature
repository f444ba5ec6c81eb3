Feature: A full disk
  A full disk stops producers of every kind, whatever they send to, until there is space on it again.

  @GENERAL-37
  Scenario Outline: A full disk stops a producer, whatever its destination does once it is full
    Given a destination with the policy <policy> on a disk that can be filled
    And a producer is attached
    When the disk is filled
    And the producer sends small messages until it may not
    Then the producer is stopped

    Examples:
      | policy |
      | BLOCK  |
      | PAGE   |
      | FAIL   |
      | DROP   |

  @GENERAL-37
  @needs:anonymous-producers
  Scenario: A full disk stops a producer of no destination of its own
    Given a destination on a disk that can be filled
    And an anonymous producer is attached
    When the disk is filled
    And the producer sends small messages until it may not
    Then the producer is stopped

  @GENERAL-39
  Scenario Outline: A free disk lets a producer go, whatever its destination does once it is full
    Given a destination with the policy <policy> on a disk that can be filled
    And a producer is attached
    When the disk is filled
    And the producer sends small messages until it may not
    And the disk is free again
    Then the producer is free
    And a further small message of it is accepted

    Examples:
      | policy |
      | PAGE   |
      | FAIL   |
      | DROP   |

  @GENERAL-39
  Scenario: A full disk stops a producer, and a free one lets it go
    Given a destination on a disk that can be filled
    And a producer is attached
    When the disk is filled
    And the producer sends small messages until it may not
    Then the producer is stopped
    When the disk is free again
    Then the producer is free
    And a further small message of it is accepted

  @GENERAL-39
  Scenario: A full disk stops a producer that comes later
    Given a destination on a disk that can be filled
    When the disk is filled
    And the producer sends small messages until it may not
    Then the producer is stopped
    When the disk is free again
    Then the producer is free

  @GENERAL-39
  @needs:anonymous-producers
  Scenario: A full disk stops a producer that names its destination with each message
    Given a destination on a disk that can be filled
    And an anonymous producer is attached
    When the disk is filled
    And the producer sends small messages until it may not
    Then the producer is stopped
    When the disk is free again
    Then the producer is free
    And a further small message of it is accepted
