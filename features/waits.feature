Feature: Sends that wait for a time
  A send with a time fails once it has waited for that time, under any mechanism. A send without a time waits on.

  @GENERAL-51
  Scenario Outline: A send that waits fails once it has waited for its time, whatever blocks it
    Given a destination that few messages fill
    And a producer whose client waits <time> ms and says so every 1000 ms
    And it fills the destination until it is stopped
    When it tries to send a message, which waits
    And <passed> ms pass
    Then that send <state>

    Examples:
      | time | passed | state       |
      | 3000 | 2999   | still waits |
      | 3000 | 3000   | has failed  |
      | 3000 | 3001   | has failed  |

  @GENERAL-20
  Scenario: Producers of each kind that are stopped stay stopped for as long as nothing is consumed
    Given a destination for each kind of producer, filled until none may send
    When 6000 ms pass
    Then every producer is stopped
