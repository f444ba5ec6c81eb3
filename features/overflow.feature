Feature: Destinations that refuse or drop what goes past their limits
  These destinations stop nobody, stay at their limits, and are charged only for the messages that they hold.

  @GENERAL-30
  Scenario: A destination past its limit in bytes refuses messages and stops nobody
    Given a destination that refuses what goes past 1000 bytes
    When 8 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free

  @GENERAL-30
  @needs:message-limit
  Scenario: A destination past its limit in messages refuses messages and stops nobody
    Given a destination that refuses what goes past 3 messages
    When 8 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free

  @GENERAL-30
  Scenario: However many messages are refused, their producer is not stopped
    Given a destination that refuses what goes past 1000 bytes
    When 120 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free
    When everything is consumed
    Then further 2 messages of 400 bytes are accepted

  @GENERAL-30
  @needs:bursts
  @needs:settled-sends
  Scenario: However many settled messages are refused, their producer is not stopped
    Given a destination that refuses what goes past 1000 bytes
    When 120 settled messages of 400 bytes are offered to it at once
    Then the producer is free

  @GENERAL-30
  @needs:changed-limits
  @needs:stops-producers
  Scenario Outline: A full destination that refuses messages from now on releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    When it is changed to one that refuses what goes past 1000 bytes
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-31
  Scenario: From its limit in bytes on every message is refused
    Given a destination that refuses what goes past 1000 bytes
    When 4 messages of 400 bytes are offered to it
    Then the first 2 of them are accepted, and the last 1 refused
    And 2 to 3 of them are left

  @GENERAL-31
  @needs:message-limit
  Scenario: From its limit in messages on every message is refused
    Given a destination that refuses what goes past 3 messages
    When 4 messages of 400 bytes are offered to it
    Then the first 3 of them are accepted, and the last 1 refused
    And exactly 3 of them are left

  @GENERAL-31
  @needs:message-limit
  Scenario Outline: Of two limits the one that is reached refuses messages
    Given a destination that refuses what goes past <bytes> bytes or <messages> messages
    When 4 messages of 400 bytes are offered to it
    Then the first 2 of them are accepted, and the last 1 refused

    Examples:
      | bytes   | messages |
      | 1000    | 1000000  |
      | 1000000 | 3        |

  @GENERAL-31
  Scenario: What a consumer has in hand counts for what a destination refuses
    Given a destination that refuses what goes past 1000 bytes
    When 2 messages of 400 bytes are offered to it
    And a consumer takes one of them
    And 3 messages of 400 bytes are offered to it
    Then the last 2 of them are refused
    And 2 to 3 of them are left

  @GENERAL-8
  @needs:refusing-policy
  Scenario: A message that is refused takes no space
    Given a destination that refuses what goes past 1000 bytes
    When 4 messages of 400 bytes are offered to it
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And further 2 messages of 400 bytes are accepted

  @GENERAL-1
  @needs:refusing-policy
  Scenario: A message that a full destination refused is never delivered
    Given a destination that refuses what goes past 1000 bytes
    When 4 messages of 400 bytes are offered to it
    Then only accepted messages are ever delivered

  @GENERAL-21
  @needs:refusing-policy
  Scenario: A destination that refuses messages accepts those for which there is room
    Given a destination that refuses what goes past 1000 bytes
    When 2 messages of 450 bytes are offered to it
    Then all of them are accepted

  @GENERAL-32
  Scenario: A destination past its limit in bytes drops messages and stops nobody
    Given a destination that drops what goes past 1000 bytes
    When 8 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free

  @GENERAL-32
  @needs:message-limit
  Scenario: A destination past its limit in messages drops messages and stops nobody
    Given a destination that drops what goes past 3 messages
    When 8 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free

  @GENERAL-32
  Scenario: However many messages are dropped, their producer is not stopped
    Given a destination that drops what goes past 1000 bytes
    When 120 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free
    When everything is consumed
    Then further 2 messages of 400 bytes are accepted

  @GENERAL-32
  @needs:bursts
  @needs:settled-sends
  Scenario: However many settled messages are dropped, their producer is not stopped
    Given a destination that drops what goes past 1000 bytes
    When 120 settled messages of 400 bytes are offered to it at once
    Then the producer is free

  @GENERAL-20
  @needs:changed-limits
  @needs:refusing-policy
  Scenario: A destination that refused messages stops their producer once it is changed to stop it
    Given a destination that refuses what goes past 1000 bytes
    When 4 messages of 400 bytes are offered to it
    And everything is consumed
    And it is changed to one that stops its producers, with a limit of 1000 bytes
    And the producer fills the destination again
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-20
  @needs:changed-limits
  @needs:dropping-policy
  Scenario: A destination that dropped messages stops their producer once it is changed to stop it
    Given a destination that drops what goes past 1000 bytes
    When 4 messages of 400 bytes are offered to it
    And everything is consumed
    And it is changed to one that stops its producers, with a limit of 1000 bytes
    And the producer fills the destination again
    Then the producer is stopped
    When everything is consumed
    Then the producer is free

  @GENERAL-32
  @needs:changed-limits
  @needs:stops-producers
  Scenario Outline: A full destination that drops messages from now on releases every producer that waits
    Given a destination that <producers> producers fill until none may send
    When it is changed to one that drops what goes past 1000 bytes
    Then every producer is free

    Examples:
      | producers |
      | 1         |
      | 2         |

  @GENERAL-33
  Scenario: A destination that drops messages stays at its limit in bytes
    Given a destination that drops what goes past 1000 bytes
    When 9 messages of 400 bytes are offered to it
    Then 2 to 3 of them are left

  @GENERAL-33
  @needs:message-limit
  Scenario: A destination that drops messages stays at its limit in messages
    Given a destination that drops what goes past 3 messages
    When 9 messages of 400 bytes are offered to it
    Then exactly 3 of them are left

  @GENERAL-33
  @needs:message-limit
  Scenario Outline: Of two limits the one that is reached drops messages
    Given a destination that drops what goes past <bytes> bytes or <messages> messages
    When 9 messages of 400 bytes are offered to it
    Then 2 to 3 of them are left

    Examples:
      | bytes   | messages |
      | 1000    | 1000000  |
      | 1000000 | 3        |

  @GENERAL-33
  Scenario: A destination that drops messages stays at its limit in bytes while its oldest one is in hand
    Given a destination that drops what goes past 1000 bytes
    When 2 messages of 400 bytes are offered to it
    And a consumer takes one of them
    And 9 messages of 400 bytes are offered to it
    Then 2 to 3 of them are left

  @GENERAL-33
  @needs:message-limit
  Scenario: A destination that drops messages stays at its limit in messages while its oldest one is in hand
    Given a destination that drops what goes past 3 messages
    When 2 messages of 400 bytes are offered to it
    And a consumer takes one of them
    And 9 messages of 400 bytes are offered to it
    Then exactly 3 of them are left

  @GENERAL-8
  @needs:dropping-policy
  Scenario: A message that is dropped takes no space
    Given a destination that drops what goes past 1000 bytes
    When 9 messages of 400 bytes are offered to it
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And further 2 messages of 400 bytes are accepted

  @GENERAL-34
  Scenario Outline: Past a limit of pages in bytes messages are refused or dropped
    Given a destination that pages past 400 bytes and <does> what goes past 1000 paged bytes
    When 10 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free
    And 3 to 5 of them are left

    Examples:
      | does    |
      | refuses |
      | drops   |

  @GENERAL-34
  Scenario: However many messages a limit of pages refuses, their producer is not stopped
    Given a destination that pages past 400 bytes and refuses what goes past 1000 paged bytes
    When 120 messages of 400 bytes are offered to it
    Then none of them was held back, and their producer is free
    When everything is consumed
    Then further 2 messages of 400 bytes are accepted

  @GENERAL-34
  Scenario Outline: A limit of pages holds whatever the size of a page
    Given a destination that pages past 400 bytes, in pages of <page>, and refuses what goes past <most> paged bytes
    When 16 messages of 100 bytes are offered to it
    Then 0 to <left> of them are left

    Examples: four messages in memory, what the limit of pages takes, and one page and one message past it
      | page | most | left |
      | 399  | 200  | 11   |
      | 300  | 500  | 13   |
      | 100  | 500  | 11   |

  @GENERAL-21
  @needs:page-limit
  Scenario Outline: What finds room in memory is accepted, whatever the limit of pages and the size of a page
    Given a destination that pages past 400 bytes, in pages of <page>, and refuses what goes past <most> paged bytes
    When 4 messages of 100 bytes are offered to it
    Then all of them are accepted

    Examples:
      | page | most |
      | 399  | 200  |
      | 300  | 300  |
      | 100  | 50   |

  @GENERAL-21
  @needs:page-limit
  Scenario Outline: What fits within a limit of pages is accepted, whatever the size of a page
    Given a destination that pages past 400 bytes, in pages of <page>, and refuses what goes past <most> paged bytes
    When <count> messages of 100 bytes are offered to it
    Then all of them are accepted

    Examples: four messages in memory, and what the limit of pages takes
      | page | most | count |
      | 300  | 600  | 10    |
      | 200  | 400  | 8     |
      | 100  | 500  | 9     |

  @GENERAL-21
  @needs:page-limit
  Scenario: Messages are accepted again once the pages past whose limit others were refused are consumed
    Given a destination that pages past 400 bytes, in pages of 300, and refuses what goes past 600 paged bytes
    When 16 messages of 100 bytes are offered to it
    And everything is consumed
    Then further 4 messages of 100 bytes are accepted

  @GENERAL-34
  Scenario: A limit of pages counts bytes, not pages
    Given a destination that pages past 400 bytes, in pages of 100, and refuses what goes past 1000 paged bytes
    When 12 messages of 400 bytes are offered to it
    Then 3 to 5 of them are left

  @GENERAL-34
  Scenario Outline: Past a limit of pages in messages they are refused or dropped
    Given a destination that pages past 400 bytes and <does> what goes past 3 paged messages
    When 10 messages of 400 bytes are offered to it
    Then exactly 4 of them are left

    Examples:
      | does    |
      | refuses |
      | drops   |

  @GENERAL-21
  @needs:page-limit
  Scenario: Within a limit of pages every message is accepted
    Given a destination that pages past 400 bytes and refuses what goes past 1000 paged bytes
    When 3 messages of 400 bytes are offered to it
    Then all of them are accepted

  @GENERAL-8
  @needs:page-limit
  Scenario: What a limit of pages refused takes no space
    Given a destination that pages past 400 bytes and refuses what goes past 1000 paged bytes
    When 10 messages of 400 bytes are offered to it
    And everything is consumed
    Then the destination holds 0 bytes in 0 messages
    And further 2 messages of 400 bytes are accepted

  @GENERAL-21
  @needs:page-limit
  @needs:changed-limits
  Scenario Outline: A limit of pages that is raised accepts messages at once
    Given a destination that pages past 400 bytes and refuses what goes past <most>
    When 16 messages of 400 bytes are offered to it
    Then the last 2 of them are refused
    When the limit of its pages is changed to 1000 times as much
    Then further 2 messages of 400 bytes are accepted

    Examples:
      | most             |
      | 1000 paged bytes |
      | 3 paged messages |

  @GENERAL-34
  @needs:changed-limits
  Scenario Outline: A limit of pages that is lowered below what is paged holds at once
    Given a destination that pages past 400 bytes and refuses what goes past <most>
    When 8 messages of 400 bytes are offered to it
    Then all of them are accepted
    When the limit of its pages is changed to a thousandth
    And 40 messages of 400 bytes are offered to it
    Then the last 6 of them are refused

    Examples:
      | most                |
      | 1000000 paged bytes |
      | 3000 paged messages |

  @GENERAL-21
  @needs:refusing-policy
  @needs:changed-limits
  Scenario: A destination that refuses messages accepts them at once after its limit in bytes was raised
    Given a destination that refuses what goes past 1000 bytes
    When 4 messages of 400 bytes are offered to it
    Then the last 1 of them are refused
    When its limit is changed to 1000 times as much
    Then further 2 messages of 400 bytes are accepted

  @GENERAL-21
  @needs:refusing-policy
  @needs:changed-limits
  @needs:message-limit
  Scenario: A destination that refuses messages accepts them at once after its limit in messages was raised
    Given a destination that refuses what goes past 3 messages
    When 4 messages of 400 bytes are offered to it
    Then the last 1 of them are refused
    When its limit is changed to 1000 times as much
    Then further 2 messages of 400 bytes are accepted

  @GENERAL-31
  @needs:changed-limits
  Scenario: A destination refuses messages at once after its limit in bytes was lowered below what is there
    Given a destination that refuses what goes past 500000 bytes
    When 2 messages of 400 bytes are offered to it
    Then all of them are accepted
    When its limit is changed to a thousandth
    And 1 messages of 400 bytes are offered to it
    Then the last 1 of them are refused

  @GENERAL-31
  @needs:changed-limits
  @needs:message-limit
  Scenario: A destination refuses messages at once after its limit in messages was lowered below what is there
    Given a destination that refuses what goes past 2000 messages
    When 2 messages of 400 bytes are offered to it
    Then all of them are accepted
    When its limit is changed to a thousandth
    And 1 messages of 400 bytes are offered to it
    Then the last 1 of them are refused

  @GENERAL-31
  @needs:transactions
  Scenario: One transaction goes past the limit by no more than one message
    Given a destination that refuses what goes past 1000 bytes
    When a transacted producer sends 8 messages of 400 bytes and commits
    Then the destination comes to hold no more than 1400 bytes
