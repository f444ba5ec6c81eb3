import { Address } from "./address.js";
import { Consumer } from "./consumer.js";
import { Producer } from "./producer.js";
import { Trouble } from "./trouble.js";

/** The broker: its addresses, and the producers and consumers that are attached to them. */
export class Broker {
  #addresses = new Map();
  #producers = new Map();
  #consumers = new Map();

  declare(name, limits) {
    open(this.#addresses, name, () => new Address(name, limits));
  }

  openProducer(name, connection, destination, options) {
    const address = this.address(destination);
    this.openAnonymousProducer(name, connection, options);
    this.producer(name).attach(address);
  }

  openAnonymousProducer(name, connection, options) {
    open(this.#producers, name, () => new Producer(connection, options));
  }

  openConsumer(name, connection, destination) {
    const address = this.address(destination);
    open(this.#consumers, name, () => new Consumer(name, connection, address));
  }

  send(producerName, messageId, sizeBytes) {
    return this.producer(producerName).send({ id: messageId, sizeBytes, isHandedOut: false });
  }

  sendTo(producerName, destination, messageId, sizeBytes) {
    this.producer(producerName).attach(this.address(destination));
    return this.send(producerName, messageId, sizeBytes);
  }

  closeProducer(name) {
    this.producer(name).close();
    this.#producers.delete(name);
  }

  closeConsumer(name) {
    this.consumer(name).close();
    this.#consumers.delete(name);
  }

  /** Drops a connection with all that came over it. */
  kill(connection) {
    for (const clients of [this.#producers, this.#consumers]) {
      for (const [name, client] of clients) {
        if (client.connection === connection) {
          client.close();
          clients.delete(name);
        }
      }
    }
  }

  endScenario() {
    this.#producers.clear();
    this.#consumers.clear();
    this.#addresses.clear();
  }

  address(name) {
    return found(this.#addresses, name);
  }

  producer(name) {
    return found(this.#producers, name);
  }

  consumer(name) {
    return found(this.#consumers, name);
  }
}

function open(all, name, make) {
  if (all.has(name)) {
    throw Trouble.refused(`there is a ${name} already`);
  }
  all.set(name, make());
}

function found(all, name) {
  const one = all.get(name);
  if (!one) {
    throw Trouble.refused(`there is no ${name}`);
  }
  return one;
}
