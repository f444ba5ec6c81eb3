import { Link } from "./link.js";

/** A producer. It has a link to its address, or, if it is anonymous, to each address that it has named so far. */
export class Producer {
  #links = new Map();
  #transaction;

  constructor(connection, { transacted = false } = {}) {
    this.connection = connection;
    this.#transaction = transacted ? new Transaction() : null;
  }

  /** The link to the address, attached if there is none yet. The last one is where the producer stands. */
  attach(address) {
    this.link = this.#links.get(address) ?? new Link(address);
    this.#links.set(address, this.link);
  }

  /** Sends one message to the address that was attached last. Returns what its sender is told. */
  send(message) {
    const { address } = this.link;
    if (!this.link.spend()) {
      // GENERAL-1: a message that is not taken is nowhere.
      return "blocked";
    }
    const outcome = this.#arrive(address, message);
    // A rejected message has cost its credit too: it was transferred.
    address.issueCredit();
    return outcome;
  }

  /** Stores all messages of the transaction, or none of them if one was rejected, and begins the next. */
  commit() {
    const { messages, isRejected } = this.#transaction;
    this.#transaction = new Transaction();
    if (isRejected) {
      return "rejected";
    }
    messages.forEach(({ address, message }) => address.store(message));
    return "accepted";
  }

  /** GENERAL-16: what is rolled back was never stored, so it takes no space. */
  rollback() {
    this.#transaction = new Transaction();
  }

  /** GENERAL-9 and GENERAL-10: nobody else's credit depends on its links; an open transaction ends without messages. */
  close() {
    for (const link of this.#links.values()) {
      link.detach();
    }
  }

  #arrive(address, message) {
    if (address.rejects) {
      if (this.#transaction) {
        this.#transaction.isRejected = true;
      }
      return "rejected";
    }
    if (this.#transaction) {
      this.#transaction.messages.push({ address, message });
      return "unsettled";
    }
    address.store(message);
    return "accepted";
  }
}

/** What a transacted producer has sent since its last commit or rollback. */
class Transaction {
  messages = [];
  isRejected = false;
}
