Feature: What management counts of the messages that come and leave
  Management counts each message that came once, wherever it went, and each message that left once, in whatever way.
  The counts agree with what clients saw.

  @GENERAL-44
  Scenario: Each message that came is counted once
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    Then management says that 3 messages came
    When everything is consumed
    Then management says that 3 messages came

  @GENERAL-44
  @needs:close-clients
  Scenario: A message that a consumer gives back has not come again
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When two consumers take 1 messages each
    And both consumers are closed
    Then management says that 3 messages came

  @GENERAL-44
  @needs:expiring-messages
  @needs:purge
  Scenario: What expired or was purged has come all the same
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And their time is over and a consumer asks for messages
    And the producer sends 2 messages of 400 bytes
    And the destination is purged
    Then management says that 4 messages came

  @GENERAL-45
  Scenario: Each message that a consumer acknowledged is counted as one that left
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When two consumers take 1 messages each
    Then management says that 0 messages left
    When the other consumer acknowledges its messages
    Then management says that 1 messages left

  @GENERAL-45
  @needs:close-clients
  Scenario: What a consumer gives back has not left
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When two consumers take 1 messages each
    And both consumers are closed
    Then management says that 0 messages left

  @GENERAL-45
  @needs:expiring-messages
  @needs:purge
  Scenario: What expired or was purged is counted as what left
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And their time is over and a consumer asks for messages
    And the producer sends 2 messages of 400 bytes
    And the destination is purged
    Then management says that 4 messages left

  @GENERAL-45
  @needs:moves-messages
  Scenario: What was moved is counted as what left
    Given a destination with a limit of 1000 bytes
    And another destination with room for all of it
    And the producer sent 3 messages of 200 bytes
    When management moves what waits to the other
    Then management says that 3 messages left

  @GENERAL-45
  @needs:dead-letters
  @needs:close-clients
  Scenario: What a consumer refused for good is counted as what left
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When a consumer takes all messages, refuses the last for good, and is closed
    Then management says that 1 messages left

  @GENERAL-46
  Scenario: What consumers have in hand is counted until they acknowledge it
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    Then management says that 0 to 0 messages are in hand
    When two consumers take 1 messages each
    Then management says that 2 to 4 messages are in hand
    When the other consumer acknowledges its messages
    Then management says that 1 to 3 messages are in hand

  @GENERAL-46
  @needs:close-clients
  Scenario: What consumers had in hand that are closed is in hand no longer
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    When two consumers take 1 messages each
    And both consumers are closed
    Then management says that 0 to 0 messages are in hand

  @GENERAL-46
  @needs:kill-clients
  Scenario: What a consumer had in hand whose connection broke is in hand no longer
    Given a destination with a limit of 1000 bytes
    And the producer sent 4 messages of 200 bytes
    When two consumers take 1 messages each
    And the connections of both consumers break
    Then management says that 0 to 0 messages are in hand

  @GENERAL-46
  @needs:dead-letters
  @needs:close-clients
  Scenario: What a consumer refused for good is in hand no longer
    Given a destination with a limit of 1000 bytes
    And the producer sent 3 messages of 200 bytes
    When a consumer takes all messages, refuses the last for good, and is closed
    Then management says that 0 to 0 messages are in hand

  @GENERAL-46
  @needs:expiring-messages
  Scenario: What expired is not in hand
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And their time is over and a consumer asks for messages
    Then management says that 0 to 0 messages are in hand

  @GENERAL-47
  @needs:purge
  Scenario: What was purged or consumed has not expired
    Given a destination with a limit of 1000 bytes
    And the producer sent 1 messages of 200 bytes
    When everything is consumed
    And the producer sends 2 messages of 400 bytes
    And the destination is purged
    Then management says that 0 messages expired

  @GENERAL-47
  Scenario: Each message that expired is counted, and no other
    Given a destination with a limit of 1000 bytes
    And the producer sent 1 messages of 200 bytes
    When everything is consumed
    And the producer sends 2 messages of 400 bytes that live 200 ms
    And their time is over and a consumer asks for messages
    Then it is handed nothing
    And management says that 2 messages expired

  @GENERAL-48
  Scenario: There are bytes where there are messages, and there alone, whatever was acknowledged
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 200 bytes
    When two consumers take 1 messages each
    Then management says of no bytes without messages, and of no messages without bytes
    When everything is consumed
    Then management says of no bytes without messages, and of no messages without bytes

  @GENERAL-48
  @needs:close-clients
  Scenario: There are bytes where there are messages, and there alone, whatever went back
    Given a destination with a limit of 1000 bytes
    When 3 times 2 messages of 400 bytes are sent and handed out, the first is acknowledged, and their consumer is closed
    Then management says of no bytes without messages, and of no messages without bytes

  @GENERAL-48
  @needs:expiring-messages
  Scenario: There are bytes where there are messages, and there alone, whatever expired
    Given a destination with a limit of 1000 bytes
    When the producer sends 2 messages of 400 bytes that live 200 ms
    And their time is over and a consumer asks for messages
    Then management says of no bytes without messages, and of no messages without bytes
