import { Trouble } from "./trouble.js";

const NO_LIMIT = -1;

/** What an address has where nothing is configured, by the names that the protocol has for limits. */
const DEFAULTS = Object.freeze({
  // ARTEMIS-BLOCK-2: 10 MiB, and the policy BLOCK.
  limit_bytes: 10 * 1024 * 1024,
  policy: "BLOCK",
  limit_messages: NO_LIMIT,
  // ARTEMIS-AMQP-10: no reject threshold.
  reject_bytes: NO_LIMIT,
  // ARTEMIS-AMQP-2 and ARTEMIS-AMQP-3: a window of 100 credits, which is refreshed at 30.
  credit: 100,
  credit_low: 30,
});

const POLICIES = ["BLOCK", "PAGE", "FAIL"];

/** The limits of one address: bytes, messages and credits. */
export class Limits {
  /** By their names in the protocol, those that were not configured included. */
  inForce;

  /** Fields of `configured` that are missing or null are not configured; others than these limits are passed over. */
  constructor(configured) {
    const entries = Object.entries(DEFAULTS).map(([name, usual]) => [name, configured[name] ?? usual]);
    this.inForce = Object.freeze(Object.fromEntries(entries));
    if (!POLICIES.includes(this.inForce.policy)) {
      throw Trouble.unsupported(`policy: expected one of ${POLICIES.join(", ")}`);
    }
  }

  /** The credits of a whole window. */
  get window() {
    return this.inForce.credit;
  }

  /** The credits left at which a window is refreshed. */
  get lowMark() {
    return this.inForce.credit_low;
  }

  /**
   * Whether an address that holds so much is full.
   *
   * ARTEMIS-BLOCK-3: only with the policy BLOCK does that stop producers.
   */
  stopAt(bytes, messages) {
    return this.inForce.policy === "BLOCK" && this.#areReachedAt(bytes, messages);
  }

  /** Whether a message that comes to an address that holds so much is rejected; it does not count itself. */
  rejectAt(bytes, messages) {
    switch (this.inForce.policy) {
      case "BLOCK":
        // ARTEMIS-AMQP-9: from the reject threshold on. ARTEMIS-AMQP-11: -1 is no threshold.
        return isReached(this.inForce.reject_bytes, bytes);
      case "FAIL":
        return this.#areReachedAt(bytes, messages);
      default:
        return false;
    }
  }

  /** ARTEMIS-BLOCK-1: a level that is reached is enough. GENERAL-18: so is either of the two. */
  #areReachedAt(bytes, messages) {
    return isReached(this.inForce.limit_bytes, bytes) || isReached(this.inForce.limit_messages, messages);
  }
}

function isReached(level, held) {
  return level !== NO_LIMIT && held >= level;
}
