import { Limits } from "./limits.js";

/**
 * An address with its one queue, or its one subscription: the messages in the order in which they came, those that are
 * handed out and not acknowledged included, and the links of the producers that send to it.
 */
export class Address {
  #messages = new Set();
  #bytes = 0;
  #links = new Set();
  #limits;
  #isBlockedByOrder = false;

  constructor(name, configured) {
    this.name = name;
    this.#limits = new Limits(configured);
  }

  get bytes() {
    return this.#bytes;
  }

  get messages() {
    return this.#messages.size;
  }

  get limits() {
    return this.#limits;
  }

  /** Puts other limits in place of all that it had. */
  change(configured) {
    this.#limits = new Limits(configured);
    // GENERAL-5: a raised limit lets go at once, though no message leaves. GENERAL-6: a lowered one ends the credit.
    this.issueCredit();
  }

  /** ARTEMIS-AMQP-5: a newcomer to a full address has no credit at all. GENERAL-7: so it cannot send one message. */
  attach(link) {
    this.#links.add(link);
    this.issueCredit();
  }

  detach(link) {
    this.#links.delete(link);
  }

  /** Whether a message that arrives now is rejected. */
  get rejects() {
    return this.#limits.rejectAt(this.#bytes, this.messages);
  }

  store(message) {
    this.#messages.add(message);
    this.#bytes += message.sizeBytes;
  }

  /** The first message that waits, or undefined. One that was given back has kept its place. */
  next() {
    for (const message of this.#messages) {
      if (!message.isHandedOut) {
        return message;
      }
    }
    return undefined;
  }

  /** Settles a message, which frees its space. */
  settle(message) {
    this.#remove(message);
    this.issueCredit();
  }

  /** Removes all messages that wait; those that a consumer has in hand stay. */
  purge() {
    for (const message of this.#messages) {
      if (!message.isHandedOut) {
        this.#remove(message);
      }
    }
    this.issueCredit(); // GENERAL-4
  }

  /** Management orders its producers to stop: what they hold as credit stays good, and no more comes. */
  block() {
    this.#isBlockedByOrder = true;
  }

  unblock() {
    this.#isBlockedByOrder = false;
    this.issueCredit();
  }

  /**
   * Issues the credit that is due, to every link at its low mark. It is asked after whatever may have made some due.
   *
   * ARTEMIS-AMQP-5: none is issued while the address is full. GENERAL-17: nor while it is blocked by order.
   * ARTEMIS-AMQP-6 and GENERAL-3: once both are over, nobody is left out.
   */
  issueCredit() {
    if (this.#isBlockedByOrder || this.#limits.stopAt(this.#bytes, this.messages)) {
      return;
    }
    for (const link of this.#links) {
      link.refresh(this.#limits);
    }
  }

  #remove(message) {
    this.#messages.delete(message);
    this.#bytes -= message.sizeBytes;
  }
}
