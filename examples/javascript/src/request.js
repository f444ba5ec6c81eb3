import { Trouble } from "./trouble.js";

/** One request: its id, its verb, and the arguments of that verb by their names. */
export class Request {
  #fields;

  constructor(fields) {
    this.#fields = fields;
  }

  /** Throws a `SyntaxError` where the line is no request at all. */
  static read(line) {
    const fields = JSON.parse(line);
    if (!Number.isInteger(fields?.id) || typeof fields.verb !== "string") {
      throw new SyntaxError("expected an object with an id and a verb");
    }
    return new Request(fields);
  }

  get id() {
    return this.#fields.id;
  }

  get verb() {
    return this.#fields.verb;
  }

  text(name) {
    return this.#field(name, (value) => typeof value === "string", "a text");
  }

  whole(name) {
    return this.#field(name, Number.isSafeInteger, "a whole number");
  }

  /** An object whose fields may all be left out, as the argument itself may. */
  object(name) {
    return this.#field(name, (value) => value === undefined || isObject(value), "an object") ?? {};
  }

  /** The only text of a list. */
  onlyText(name) {
    const isOneText = (value) => Array.isArray(value) && value.length === 1 && typeof value[0] === "string";
    return this.#field(name, isOneText, "a list of one text")[0];
  }

  #field(name, isRight, expected) {
    const value = this.#fields[name];
    if (!isRight(value)) {
      throw Trouble.unsupported(`${name}: expected ${expected}`);
    }
    return value;
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
