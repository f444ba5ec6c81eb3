import { Trouble } from "./trouble.js";

export const STOP = "stop";

const HANDSHAKE = {
  protocol: 1,
  identity: { name: "mybroker-javascript", version: "1.0" },
  capabilities: [
    "address-limit", "amqp-credit", "any-credit-window", "reject-threshold", "message-limit",
    "limits-readable", "changed-limits", "purge", "topics", "anonymous-producers", "transactions",
    "close-clients", "kill-clients", "shared-connections", "management-block",
  ],
  parameters: {},
};

/** The verbs of the protocol, and which method of the broker each of them is. */
export class Verbs {
  #verbs;

  constructor(broker) {
    this.#verbs = new Map(Object.entries(verbsOf(broker)));
  }

  /** The response to a request; whatever goes wrong is an error in it. */
  respond(request) {
    const { id } = request;
    try {
      return { id, answer: this.#verb(request.verb)(request) };
    } catch (error) {
      if (error instanceof Trouble) {
        return { id, error: { kind: error.kind, message: error.message } };
      }
      console.error(error);
      return { id, error: { kind: "failed", message: String(error) } };
    }
  }

  #verb(name) {
    const verb = this.#verbs.get(name);
    if (!verb) {
      throw Trouble.unsupported(`there is no verb ${name}`);
    }
    return verb;
  }
}

/** Each verb takes its request and returns its answer; one that returns nothing is answered without one. */
function verbsOf(broker) {
  const declare = (request) => broker.declare(request.text("destination"), request.object("limits"));
  const addressOf = (request) => broker.address(request.text("destination"));
  const producerOf = (request) => broker.producer(request.text("producer"));
  const consumerOf = (request) => broker.consumer(request.text("consumer"));
  return {
    start: () => HANDSHAKE,
    [STOP]: () => broker.endScenario(),
    declare,
    // GENERAL-13: a topic with one subscription is filled, and stops, as a queue is.
    declare_topic: declare,
    open_producer: (request) =>
      broker.openProducer(
        request.text("producer"),
        request.text("connection"),
        request.onlyText("destinations"),
        request.object("options"),
      ),
    open_anonymous_producer: (request) =>
      broker.openAnonymousProducer(request.text("producer"), request.text("connection")),
    open_consumer: (request) =>
      broker.openConsumer(request.text("consumer"), request.text("connection"), request.text("destination")),
    send: (request) =>
      broker.send(request.text("producer"), request.text("message_id"), request.whole("size_bytes")),
    send_to: (request) =>
      broker.sendTo(
        request.text("producer"),
        request.text("destination"),
        request.text("message_id"),
        request.whole("size_bytes"),
      ),
    commit: (request) => producerOf(request).commit(),
    rollback: (request) => producerOf(request).rollback(),
    take: (request) => delivery(consumerOf(request)),
    acknowledge: (request) => consumerOf(request).acknowledge(request.text("message_id")),
    depth: (request) => {
      const { bytes, messages } = addressOf(request);
      return { bytes, messages };
    },
    standing: (request) => standing(producerOf(request)),
    // Nothing here happens by itself: what follows from a request has happened when its response is written.
    advance: () => {},
    limits_in_force: (request) => addressOf(request).limits.inForce,
    change_limits: (request) => addressOf(request).change(request.object("limits")),
    purge: (request) => addressOf(request).purge(),
    block: (request) => addressOf(request).block(),
    unblock: (request) => addressOf(request).unblock(),
    close_producer: (request) => broker.closeProducer(request.text("producer")),
    close_consumer: (request) => broker.closeConsumer(request.text("consumer")),
    kill: (request) => broker.kill(request.text("connection")),
    end_scenario: () => broker.endScenario(),
  };
}

function delivery(consumer) {
  const message = consumer.take();
  return message ? { message_id: message.id, destination: consumer.address.name } : null;
}

/** A producer is stopped once it has used up its credit. An anonymous one has none before it names an address. */
function standing({ link }) {
  return link
    ? { stopped: link.left === 0, credit_issued: link.issued, credit_left: link.left }
    : { stopped: false };
}
