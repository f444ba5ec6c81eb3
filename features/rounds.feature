Feature: A destination in use, from its first message to its last
  One destination keeps every general property, one after the other, whatever happened there before.

  @GENERAL-2
  @GENERAL-3
  @GENERAL-7
  @GENERAL-8
  @GENERAL-20
  @GENERAL-21
  @each-value-alone
  Scenario: Filled by three producers and consumed twice, a destination owes nobody anything
    Given a destination that few messages fill
    When two producers send until none may, and then a third one
    Then the first message for which there was room was accepted
    And what was accepted is there
    And the two are stopped, and so is the third
    When everything is consumed
    Then whoever waited is free, nothing is charged, and what was accepted was delivered once
    When the first of them fills the destination again
    Then it is stopped after as many messages as before
    When everything is consumed
    Then whoever waited is free, nothing is charged, and what was accepted was delivered once

  @GENERAL-3
  @GENERAL-8
  @GENERAL-20
  @GENERAL-21
  Scenario: A producer that stays fills a destination as often as it is emptied, each time with as many messages
    Given a destination that few messages fill
    And a producer is attached
    When it fills the destination 5 times, and each time everything is consumed
    Then it was stopped each time, and released afterwards
    And each time after the first it sent as many messages
