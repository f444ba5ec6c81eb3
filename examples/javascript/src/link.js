/** The credit of one producer at one address. AMQP knows credit for each sending link, not for each client. */
export class Link {
  #issued = 0;
  #left = 0;

  constructor(address) {
    this.address = address;
    address.attach(this);
  }

  /** Credits issued since it was attached. */
  get issued() {
    return this.#issued;
  }

  get left() {
    return this.#left;
  }

  /** ARTEMIS-AMQP-1: one credit for one message of any size. Returns whether there was one to spend. */
  spend() {
    if (this.#left === 0) {
      return false;
    }
    this.#left -= 1;
    return true;
  }

  /** ARTEMIS-AMQP-4: at its low mark or below, and not before, it is issued what is missing from a whole window. */
  refresh({ window, lowMark }) {
    if (this.#left > lowMark || this.#left >= window) {
      return;
    }
    this.#issued += window - this.#left;
    this.#left = window;
  }

  detach() {
    this.address.detach(this);
  }
}
