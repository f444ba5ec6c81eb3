/** Why a request gets no answer; `kind` is one of the kinds of error that the protocol knows. */
export class Trouble extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }

  static refused(message) {
    return new Trouble("refused", message);
  }

  static unsupported(message) {
    return new Trouble("unsupported", message);
  }
}
