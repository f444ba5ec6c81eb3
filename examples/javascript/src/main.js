// A broker in memory that is asked over stdin and answers on stdout: one JSON object a line, one request at a time.

import { Broker } from "./broker.js";
import { linesOf } from "./lines.js";
import { Request } from "./request.js";
import { STOP, Verbs } from "./verbs.js";

const verbs = new Verbs(new Broker());

for await (const line of linesOf(process.stdin)) {
  let request;
  try {
    request = Request.read(line);
  } catch (error) {
    // Without an id there is nothing to respond to, and stdout is for responses only.
    console.error(`${error.message}: ${line}`);
    continue;
  }
  // Node holds back nothing that goes to a pipe; where your language does, flush here.
  process.stdout.write(`${JSON.stringify(verbs.respond(request))}\n`);
  if (request.verb === STOP) {
    break;
  }
}
