Feature: Memory, store and temporary space of ActiveMQ Classic
  Messages also have limits on disk. The kind of a message and the cursor decide which limit it counts against.

  @CLASSIC-USAGE-1
  Scenario: Persistent messages wait once the store is full
    Given a broker with a store limit of 20000 bytes
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes, until one waits or 40 were taken
    Then at least 12 and at most 20 of them were taken

  @CLASSIC-USAGE-1
  Scenario: Persistent messages wait for the store under the memory cursor as well
    Given a broker with a store limit of 20000 bytes
    And a queue with a memory limit of 1000000 bytes
    And a producer of persistent messages
    When it sends messages of 1000 bytes, until one waits or 40 were taken
    Then at least 12 and at most 20 of them were taken

  @CLASSIC-USAGE-2
  Scenario: Other messages wait once the temporary space is full
    Given a broker with a temporary limit of 20000 bytes
    And a queue with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a producer of non-persistent messages
    And the producer sent 20 messages of 200 bytes
    When it sends messages of 200 bytes, until one waits or 300 were taken
    Then at least 30 and at most 130 of them were taken

  @CLASSIC-USAGE-1
  @needs:shared-connections
  Scenario: What two queues store for producers of one connection counts together against the store
    Given a broker with a store limit of 20000 bytes
    And a queue "first" that keeps waiting messages in a file
    And a queue "second" that keeps waiting messages in a file
    And a producer of persistent messages for each, both on one connection
    When they send messages of 1000 bytes in turn, until one waits or 40 were taken
    Then at least 12 and at most 20 of their messages were taken

  @CLASSIC-USAGE-2
  @needs:shared-connections
  Scenario: What two queues move to files for producers of one connection counts together
    Given a broker with a temporary limit of 20000 bytes
    And a queue "first" with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a queue "second" with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a producer of non-persistent messages for each, both on one connection
    And each of them sent 15 messages of 200 bytes
    When they send messages of 200 bytes in turn, until one waits or 300 were taken
    Then at most 150 of their messages were taken

  @CLASSIC-USAGE-3
  Scenario: A full store does not hold back messages that are not persistent
    Given a broker with a store limit of 20000 bytes
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes until one waits
    And another producer sends a message of 10 bytes
    Then the other producer is free

  @CLASSIC-USAGE-3
  Scenario: Full temporary space does not hold back persistent messages
    Given a broker with a temporary limit of 20000 bytes
    And a queue with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a producer of non-persistent messages
    And the producer sent 20 messages of 200 bytes
    When it sends messages of 200 bytes until one waits
    And another producer sends a persistent message of 10 bytes
    Then the other producer is free

  @GENERAL-21
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  Scenario: Beside a producer that waits for the store, every other one is heard, whenever it came
    Given a broker with a store limit of 20000 bytes
    And a queue that keeps waiting messages in a file
    And 4 producers are attached, the second of which sends persistent messages
    When the second of them sends messages of 1000 bytes until it may not
    Then a message of 10 bytes of each but the second is accepted, and one of a latecomer

  @GENERAL-21
  @needs:usage-limits
  @needs:late-answers
  @needs:persistent-messages
  @needs:file-cursor
  @needs:memory-limit
  Scenario: Beside a producer that waits for the store, every other one is heard under the memory cursor as well
    Given a broker with a store limit of 20000 bytes
    And a queue with a memory limit of 1000000 bytes
    And 4 producers are attached, the second of which sends persistent messages
    When the second of them sends messages of 1000 bytes until it may not
    Then a message of 10 bytes of each but the second is accepted, and one of a latecomer

  @CLASSIC-USAGE-4
  Scenario: A send that waits for the store goes through once messages were consumed
    Given a broker with a store limit of 20000 bytes
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes until one waits
    And 10 messages are consumed
    Then the producer is free

  @CLASSIC-USAGE-4
  Scenario: A send that waits for temporary space goes through once everything was consumed
    Given a broker with a temporary limit of 20000 bytes
    And a queue with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a producer of non-persistent messages
    And the producer sent 20 messages of 200 bytes
    When it sends messages of 200 bytes until one waits
    And everything is consumed
    Then the producer is free

  @GENERAL-4
  @needs:usage-limits
  @needs:late-answers
  @needs:file-cursor
  Scenario: A send that waits for temporary space goes through once all messages were purged
    Given a broker with a temporary limit of 20000 bytes
    And a queue with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a producer of non-persistent messages
    And the producer sent 20 messages of 200 bytes
    When it sends messages of 200 bytes until one waits
    And the destination is purged
    Then the producer is free

  @GENERAL-4
  @needs:usage-limits
  @needs:late-answers
  @needs:file-cursor
  @needs:persistent-messages
  Scenario: A send that waits for the store goes through once all messages were purged
    Given a broker with a store limit of 20000 bytes
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes until one waits
    And the destination is purged
    Then the producer is free

  @CLASSIC-USAGE-11
  @GENERAL-5
  Scenario: A raised limit of the store lets go who waits for it
    Given a broker with a store limit of 20000 bytes
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes until one waits
    And the limit of the store is changed to 100000 bytes
    Then the producer is free
    And a further persistent message of it is accepted

  @CLASSIC-USAGE-11
  @GENERAL-5
  @needs:topics
  Scenario: A raised limit of the store lets go who waits for it at a topic
    Given a broker with a store limit of 20000 bytes
    And a topic that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends messages of 1000 bytes until one waits
    And the limit of the store is changed to 100000 bytes
    Then the producer is free
    And a further persistent message of it is accepted

  @CLASSIC-USAGE-11
  @GENERAL-6
  Scenario: A lowered limit of the store stops whoever sends next
    Given a broker with a store limit of 100000 bytes
    And a queue that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends 25 messages of 1000 bytes, which are accepted
    And the limit of the store is changed to 20000 bytes
    And another producer sends a persistent message of 10 bytes
    Then the other producer is stopped

  @CLASSIC-USAGE-11
  @GENERAL-6
  @needs:topics
  Scenario: A lowered limit of the store stops whoever sends next to a topic
    Given a broker with a store limit of 100000 bytes
    And a topic that keeps waiting messages in a file
    And a producer of persistent messages
    When it sends 25 messages of 1000 bytes, which are accepted
    And the limit of the store is changed to 20000 bytes
    And another producer sends a persistent message of 10 bytes
    Then the other producer is stopped

  @CLASSIC-USAGE-10
  @GENERAL-5
  Scenario: A raised limit of temporary space lets go who waits for it
    Given a broker with a temporary limit of 20000 bytes
    And a queue with a memory limit of 2000 bytes that keeps waiting messages in a file
    And a producer of non-persistent messages
    And the producer sent 20 messages of 200 bytes
    When it sends messages of 200 bytes until one waits
    And the limit of temporary space is changed to 100000 bytes
    Then the producer is free

  @CLASSIC-USAGE-12
  @GENERAL-5
  Scenario: A raised limit of the memory of all lets go who waits for it
    Given a broker with a memory limit of 1000 bytes for all messages
    And a queue with a memory limit of 1000000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And the memory limit for all messages is changed to 5000 bytes
    Then the producer is free

  @CLASSIC-USAGE-12
  @GENERAL-5
  @needs:topics
  Scenario: A raised limit of the memory of all lets go who waits for it at a topic
    Given a broker with a memory limit of 1000 bytes for all messages
    And a topic with a memory limit of 1000000 bytes
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And the memory limit for all messages is changed to 5000 bytes
    Then the producer is free

  @CLASSIC-USAGE-12
  @GENERAL-5
  Scenario: A raised memory limit of all destinations releases a producer that waits at a queue without a limit of its own
    Given a broker with a memory limit of 1000 bytes for all messages
    And a queue without a memory limit of its own
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And the memory limit for all messages is changed to 5000 bytes
    Then the producer is free

  @CLASSIC-USAGE-12
  @GENERAL-5
  @needs:topics
  Scenario: A raised memory limit of all destinations releases a producer that waits at a topic without a limit of its own
    Given a broker with a memory limit of 1000 bytes for all messages
    And a topic without a memory limit of its own
    And the queue holds a message of 1000 bytes
    When a producer sends a message of 10 bytes
    And the memory limit for all messages is changed to 5000 bytes
    Then the producer is free

  @CLASSIC-USAGE-12
  @GENERAL-6
  Scenario: A lowered limit of the memory of all stops whoever sends next
    Given a broker with a memory limit of 5000 bytes for all messages
    And a queue with a memory limit of 1000000 bytes
    And the queue holds a message of 1000 bytes
    When the memory limit for all messages is changed to 500 bytes
    And a producer sends a message of 10 bytes
    Then its send waits

  @CLASSIC-USAGE-12
  @GENERAL-6
  @needs:topics
  Scenario: A lowered limit of the memory of all stops whoever sends next to a topic
    Given a broker with a memory limit of 5000 bytes for all messages
    And a topic with a memory limit of 1000000 bytes
    And the queue holds a message of 1000 bytes
    When the memory limit for all messages is changed to 500 bytes
    And a producer sends a message of 10 bytes
    Then its send waits

  @CLASSIC-USAGE-5
  Scenario: Without configuration all messages together may take 64 MB of memory
    Given a queue for which nothing is configured
    Then management reads a memory limit of 67108864 bytes for all messages

  @CLASSIC-USAGE-6
  Scenario: Without configuration persistent messages may take 100 GB of the store
    Given a queue for which nothing is configured
    Then management reads a store limit of 107374182400 bytes

  @CLASSIC-USAGE-7
  Scenario: Without configuration temporary messages may take 10 GB
    Given a queue for which nothing is configured
    Then management reads a temporary limit of 10737418240 bytes

  @CLASSIC-USAGE-8
  Scenario: Without configuration a queue keeps waiting messages in a file
    Given a queue for which nothing is configured
    Then management reads that waiting messages are kept in a file

  @CLASSIC-USAGE-9
  Scenario Outline: Under the memory cursor every message takes memory
    Given a queue with a memory limit of 1000 bytes
    When a producer sends 9 messages of <size> bytes
    Then the queue holds <held> bytes

    Examples:
      | size | held |
      | 1    | 9    |
      | 100  | 900  |
      | 111  | 999  |
