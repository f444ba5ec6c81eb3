Feature: What becomes of messages, whatever the mechanism

  @GENERAL-1
  Scenario: A message that a stopped producer could not send is never delivered
    Given a destination that a producer fills until it may not send
    When the producer tries to send one more message
    Then that message is not accepted
    And only accepted messages are ever delivered

  @GENERAL-2
  Scenario: Every message accepted below the limit is delivered once
    Given a destination with a limit of 1000 bytes
    And the producer sent 2 messages of 400 bytes
    When all messages are consumed
    Then each accepted message was delivered once

  @GENERAL-2
  @needs:stops-producers
  Scenario: Every accepted message is delivered once
    Given a destination that a producer fills until it may not send
    When all messages are consumed
    Then each accepted message was delivered once

  @GENERAL-1
  @GENERAL-2
  Scenario: A message that was refused is not delivered when its producer sends again
    Given a destination that a producer fills until it may not send
    When the producer tries to send one more message
    And everything is consumed
    And the producer tries to send one more message
    Then each accepted message was delivered once

  @GENERAL-2
  @needs:several-queues
  Scenario: Each of several queues delivers its own copy of a message
    Given a queue "orders" with a capacity of 5000 bytes and a resume level of 4000 bytes
    And a queue "audit" with a capacity of 1000 bytes and a resume level of 800 bytes
    And a producer that sends each message to "orders" and to "audit"
    When the producer sends 2 messages of 400 bytes
    Then "orders" and "audit" each deliver every accepted message once
