Feature: Space that all destinations share
  Whatever way messages leave, and wherever they were, they give back what they took of the space that all destinations
  share. Until then, producers of other destinations wait.

  @CLASSIC-MEMORY-9
  @needs:close-clients
  Scenario: Whoever waits elsewhere goes on once messages are consumed that took the memory of all
    Given all destinations share memory
    When 2 times messages fill it, a producer waits elsewhere, and the messages are consumed
    Then each time the producer waited before that, and was free afterwards

  @CLASSIC-USAGE-4
  @needs:memory-limit
  @needs:close-clients
  Scenario: Whoever waits elsewhere goes on once messages are consumed that took the store of all
    Given all destinations share the store
    When 2 times messages fill it, a producer waits elsewhere, and the messages are consumed
    Then each time the producer waited before that, and was free afterwards

  @CLASSIC-MEMORY-9
  @needs:close-clients
  @needs:acknowledges-together
  Scenario: Whoever waits elsewhere goes on once messages are acknowledged together that took the memory of all
    Given all destinations share memory
    When 2 times messages fill it, a producer waits elsewhere, and the messages are acknowledged together
    Then each time the producer waited before that, and was free afterwards

  @CLASSIC-USAGE-4
  @needs:memory-limit
  @needs:close-clients
  @needs:acknowledges-together
  Scenario: Whoever waits elsewhere goes on once messages are acknowledged together that took the store of all
    Given all destinations share the store
    When 2 times messages fill it, a producer waits elsewhere, and the messages are acknowledged together
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-4
  @needs:memory-limit
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario Outline: Whoever waits elsewhere goes on once messages are purged that took the space of all
    Given all destinations share <kind>
    When 2 times messages fill it, a producer waits elsewhere, and the messages are purged
    Then each time the producer waited before that, and was free afterwards

    Examples:
      | kind      |
      | memory    |
      | the store |

  @GENERAL-40
  @needs:memory-limit
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario: Whoever waits elsewhere goes on once messages expire that took the memory of all
    Given all destinations share memory
    When 2 times messages fill it, a producer waits elsewhere, and the messages expire
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-41
  @needs:memory-limit
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario: Whoever waits elsewhere goes on once messages are moved that took the memory of all
    Given all destinations share memory
    When 2 times messages fill it, a producer waits elsewhere, and the messages are moved and consumed there
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-21
  @needs:memory-limit
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  @needs:recreated-destinations
  Scenario Outline: Whoever waits elsewhere goes on once messages are deleted with their destination that took the space of all
    Given all destinations share <kind>
    When 2 times messages fill it, a producer waits elsewhere, and the messages are deleted with their destination
    Then each time the producer waited before that, and was free afterwards

    Examples:
      | kind      |
      | memory    |
      | the store |

  @QPID-DISK-4
  @needs:close-clients
  Scenario: Whoever is blocked elsewhere goes on once messages are consumed that filled the disk
    Given all destinations share the disk
    When 3 times messages fill it, a producer waits elsewhere, and the messages are consumed
    Then each time the producer waited before that, and was free afterwards

  @QPID-DISK-4
  @needs:close-clients
  @needs:acknowledges-together
  Scenario: Whoever is blocked elsewhere goes on once messages are acknowledged together that filled the disk
    Given all destinations share the disk
    When 3 times messages fill it, a producer waits elsewhere, and the messages are acknowledged together
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-4
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  Scenario: Whoever is blocked elsewhere goes on once messages are purged that filled the disk
    Given all destinations share the disk
    When 3 times messages fill it, a producer waits elsewhere, and the messages are purged
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-40
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  Scenario: Whoever is blocked elsewhere goes on once messages expire that filled the disk
    Given all destinations share the disk
    When 3 times messages fill it, a producer waits elsewhere, and the messages expire
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-41
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  Scenario: Whoever is blocked elsewhere goes on once messages are moved that filled the disk
    Given all destinations share the disk
    When 3 times messages fill it, a producer waits elsewhere, and the messages are moved and consumed there
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-21
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  @needs:recreated-destinations
  Scenario: Whoever is blocked elsewhere goes on once messages are deleted with their destination that filled the disk
    Given all destinations share the disk
    When 3 times messages fill it, a producer waits elsewhere, and the messages are deleted with their destination
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-16
  @CLASSIC-MEMORY-9
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario: Committed messages take the memory of all until they are consumed
    Given all destinations share memory
    When 3 times messages are committed and fill it, a producer waits elsewhere, and the messages are consumed
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-16
  @CLASSIC-MEMORY-9
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario: Messages that are rolled back take nothing of the memory of all
    Given all destinations share memory
    When 3 times messages that would fill it are rolled back
    Then a message elsewhere is accepted

  @GENERAL-16
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  Scenario: Committed messages take the disk until they are consumed
    Given all destinations share the disk
    When 3 times messages are committed and fill it, a producer waits elsewhere, and the messages are consumed
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-16
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  Scenario: Messages that are rolled back take nothing of the disk
    Given all destinations share the disk
    When 3 times messages that would fill it are rolled back
    Then a message elsewhere is accepted

  @CLASSIC-MEMORY-9
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  @needs:returned-messages
  Scenario: What a consumer gave back takes the memory of all until it is consumed
    Given all destinations share memory
    When messages fill it, and a consumer takes all and gives them back
    Then a producer elsewhere waits until all is consumed

  @QPID-DISK-2
  @needs:close-clients
  @needs:returned-messages
  Scenario: What a consumer gave back takes the disk until it is consumed
    Given all destinations share the disk
    When messages fill it, and a consumer takes all and gives them back
    Then a producer elsewhere waits until all is consumed

  @CLASSIC-MEMORY-9
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario: What a consumer held as it was closed takes the memory of all until it is consumed
    Given all destinations share memory
    When messages fill it, and a consumer takes all and is closed
    Then a producer elsewhere waits until all is consumed

  @QPID-DISK-2
  @needs:close-clients
  Scenario: What a consumer held as it was closed takes the disk until it is consumed
    Given all destinations share the disk
    When messages fill it, and a consumer takes all and is closed
    Then a producer elsewhere waits until all is consumed

  @CLASSIC-MEMORY-9
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  @needs:topics
  Scenario: Messages of a topic take the memory of all until they are consumed
    Given all destinations share memory, and one of them is a topic
    When 3 times messages fill it, a producer waits elsewhere, and the messages are consumed
    Then each time the producer waited before that, and was free afterwards

  @GENERAL-21
  @CLASSIC-MEMORY-9
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  @needs:temporary-destinations
  @needs:kill-clients
  Scenario: Messages of temporary destinations that have ended take nothing of the memory of all
    Given all destinations share memory
    When 3 times a temporary destination fills it and ends
    Then a message elsewhere is accepted

  @GENERAL-49
  @needs:memory-limit
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario Outline: Whoever waits for space of all is shown as stopped, and as free once all is consumed
    Given all destinations share <kind>
    When messages fill it, and a producer elsewhere waits
    Then management shows the producer elsewhere as stopped
    When all that fills it is consumed
    Then management shows the producer elsewhere as free

    Examples:
      | kind      |
      | memory    |
      | the store |

  @GENERAL-49
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  Scenario: Whoever the disk blocks is shown as stopped, and as free once all is consumed
    Given all destinations share the disk
    When messages fill it, and a producer elsewhere waits
    Then management shows the producer elsewhere as stopped
    When all that fills it is consumed
    Then management shows the producer elsewhere as free

  @GENERAL-24
  @needs:memory-limit
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  Scenario: After a restart, messages from before it take space of the store
    Given a broker that keeps its data
    And all destinations share the store
    When messages fill it, and the broker is killed and started again
    Then a producer elsewhere waits until all is consumed

  @GENERAL-24
  @needs:disk-quota
  @needs:usage-limits
  @needs:persistent-messages
  @needs:close-clients
  Scenario: After a restart, messages from before it take space of the disk
    Given a broker that keeps its data
    And all destinations share the disk
    When messages fill it, and the broker is killed and started again
    Then a producer elsewhere waits until all is consumed

  @QPID-DISK-3
  @needs:close-clients
  @needs:restarts-broker
  Scenario: After a restart, a full disk blocks a producer that has sent nothing
    Given a broker that keeps its data
    And all destinations share the disk
    When messages fill it, and the broker is killed and started again
    And a producer elsewhere is attached
    Then the producer is stopped

  @GENERAL-21
  @CLASSIC-MEMORY-9
  @needs:persistent-messages
  @needs:file-cursor
  @needs:close-clients
  @needs:temporary-destinations
  @needs:kill-clients
  Scenario: Messages of the second of two temporary destinations that ended take nothing of the memory of all
    Given all destinations share memory
    When 3 times the second temporary destination of a connection fills it and both end
    Then a message elsewhere is accepted
