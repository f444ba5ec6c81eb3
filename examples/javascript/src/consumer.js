import { Trouble } from "./trouble.js";

/** A consumer of one address, and what it was handed and did not acknowledge. */
export class Consumer {
  #inHand = new Map();

  constructor(name, connection, address) {
    this.name = name;
    this.connection = connection;
    this.address = address;
  }

  /** The next message, or undefined. GENERAL-2: as long as it is in hand, nobody else is handed it. */
  take() {
    const message = this.address.next();
    if (message) {
      message.isHandedOut = true;
      this.#inHand.set(message.id, message);
    }
    return message;
  }

  acknowledge(messageId) {
    const message = this.#inHand.get(messageId);
    if (!message) {
      throw Trouble.refused(`${messageId} was not handed out to ${this.name}`);
    }
    this.#inHand.delete(messageId);
    this.address.settle(message);
  }

  /** GENERAL-11 and GENERAL-12: what a consumer leaves unacknowledged goes back, and took space all the time. */
  close() {
    for (const message of this.#inHand.values()) {
      message.isHandedOut = false;
    }
    this.#inHand.clear();
  }
}
