//! Speaks the line protocol on stdin and stdout, and asks the broker for each answer.

mod broker;

use std::io::{self, BufRead, Write};

use broker::{bug, Answer, Broker, Failure, Limits, Outcome, ProducerSettings, Transport, NO_LIMIT};
use serde_json::{json, Value};

const CAPABILITIES: [&str; 20] = [
    "address-limit",
    "amqp-credit",
    "any-credit-window",
    "reject-threshold",
    "message-limit",
    "limits-readable",
    "changed-limits",
    "purge",
    "topics",
    "anonymous-producers",
    "transactions",
    "late-answers",
    "close-clients",
    "kill-clients",
    "management-block",
    "shared-connections",
    "consumer-window",
    "consumer-rate",
    "producer-rate",
    "several-protocols",
];

fn text<'a>(request: &'a Value, field: &str) -> Answer<&'a str> {
    request[field]
        .as_str()
        .ok_or_else(|| Failure("failed", format!("{field} is missing, or no text")))
}

fn number(request: &Value, field: &str) -> Answer<i64> {
    request[field]
        .as_i64()
        .ok_or_else(|| Failure("failed", format!("{field} is missing, or no whole number")))
}

fn limits(given: &Value) -> Limits {
    let default = Limits::default();
    let or = |field: &str, otherwise: i64| given[field].as_i64().unwrap_or(otherwise);
    let level = |field: &str, otherwise: i64| match or(field, otherwise) {
        figure if bug("limit-32-bit") => i64::from(figure as i32),
        figure => figure,
    };
    Limits {
        max_bytes: level("limit_bytes", default.max_bytes),
        max_messages: or("limit_messages", default.max_messages),
        policy: given["policy"].as_str().unwrap_or(&default.policy).to_string(),
        reject_bytes: level("reject_bytes", default.reject_bytes),
        credit: match or("credit", default.credit) {
            figure if bug("credit-16-bit") => i64::from(figure as i16),
            figure => figure,
        },
        credit_low: or("credit_low", default.credit_low),
    }
}

fn shown(limits: &Limits) -> Value {
    let hidden = bug("reject-default-hidden") && limits.reject_bytes == NO_LIMIT;
    let reject = if hidden { None } else { Some(limits.reject_bytes) };
    json!({
        "limit_bytes": limits.max_bytes,
        "limit_messages": limits.max_messages,
        "policy": limits.policy,
        "reject_bytes": reject,
        "credit": limits.credit,
        "credit_low": limits.credit_low,
    })
}

fn settings(options: &Value) -> ProducerSettings {
    let default_rate = if bug("default-producer-rate") { 100 } else { NO_LIMIT };
    let web_socket = options["protocol"] == "AMQP-WS";
    ProducerSettings {
        transport: if web_socket { Transport::WebSocket } else { Transport::Tcp },
        transacted: options["transacted"].as_bool().unwrap_or(false),
        rate: options["rate"].as_i64().unwrap_or(default_rate),
    }
}

fn word(outcome: Outcome) -> Value {
    json!(match outcome {
        Outcome::Accepted => "accepted",
        Outcome::Rejected => "rejected",
        Outcome::Blocked => "blocked",
        Outcome::Unsettled => "unsettled",
    })
}

fn handshake() -> Value {
    json!({
        "protocol": 1,
        "identity": {"name": "weir", "version": "0.1"},
        "capabilities": CAPABILITIES,
        "parameters": {"eventually_ms": 0, "never_ms": 0, "protocols": ["AMQP", "AMQP-WS"]},
    })
}

fn answer(broker: &mut Broker, request: &Value) -> Answer<Value> {
    let field = |name: &str| text(request, name);
    match field("verb")? {
        "start" => return Ok(handshake()),
        "stop" => {}
        verb @ ("declare" | "declare_topic") => {
            let topic = verb == "declare_topic";
            broker.declare(field("destination")?, limits(&request["limits"]), topic);
        }
        "limits_in_force" => return Ok(shown(&broker.limits_in_force(field("destination")?)?)),
        "change_limits" => broker.change_limits(field("destination")?, limits(&request["limits"]))?,
        "purge" => broker.purge(field("destination")?)?,
        "block" => broker.set_order(field("destination")?, true)?,
        "unblock" => broker.set_order(field("destination")?, false)?,
        "depth" => {
            let (bytes, messages) = broker.depth(field("destination")?)?;
            return Ok(json!({"bytes": bytes, "messages": messages}));
        }
        "open_producer" => {
            let destinations = request["destinations"].as_array().map_or(&[][..], Vec::as_slice);
            let [only] = destinations else {
                return Err(Failure("unsupported", "a producer has one destination".to_string()));
            };
            let options = settings(&request["options"]);
            broker.open_producer(field("producer")?, field("connection")?, only.as_str(), options)?;
        }
        "open_anonymous_producer" => {
            let options = settings(&Value::Null);
            broker.open_producer(field("producer")?, field("connection")?, None, options)?;
        }
        "send" => {
            let size = number(request, "size_bytes")?;
            return Ok(word(broker.send(field("producer")?, None, field("message_id")?, size)?));
        }
        "send_to" => {
            let size = number(request, "size_bytes")?;
            let to = Some(field("destination")?);
            return Ok(word(broker.send(field("producer")?, to, field("message_id")?, size)?));
        }
        "commit" => return Ok(word(broker.commit(field("producer")?)?)),
        "rollback" => broker.rollback(field("producer")?)?,
        "settlements" => {
            let settled = broker.settlements(field("producer")?)?;
            return Ok(settled
                .into_iter()
                .map(|(id, outcome, reason)| {
                    json!({"message_id": id, "outcome": word(outcome), "reason": reason})
                })
                .collect());
        }
        "standing" => {
            let (stopped, issued, left) = broker.standing(field("producer")?)?;
            return Ok(json!({"stopped": stopped, "credit_issued": issued, "credit_left": left}));
        }
        "close_producer" => broker.close_producer(field("producer")?)?,
        "open_consumer" => {
            let (consumer, connection) = (field("consumer")?, field("connection")?);
            broker.open_consumer(consumer, connection, field("destination")?, Some(0), NO_LIMIT)?;
        }
        "open_consumer_with" => {
            let (consumer, connection) = (field("consumer")?, field("connection")?);
            let window = request["options"]["window_bytes"].as_i64();
            let rate = request["options"]["rate"].as_i64().unwrap_or(NO_LIMIT);
            broker.open_consumer(consumer, connection, field("destination")?, window, rate)?;
        }
        "take" => {
            return Ok(match broker.take(field("consumer")?)? {
                Some((id, destination)) => json!({"message_id": id, "destination": destination}),
                None => Value::Null,
            });
        }
        "buffered" => return Ok(json!(broker.buffered(field("consumer")?)?)),
        "acknowledge" => broker.acknowledge(field("consumer")?, field("message_id")?)?,
        "close_consumer" => broker.close_consumer(field("consumer")?)?,
        "kill" => broker.kill(field("connection")?),
        "advance" => broker.advance(number(request, "ms")?),
        "end_scenario" => broker.end_scenario(),
        other => return Err(Failure("unsupported", format!("there is no verb {other}"))),
    }
    Ok(Value::Null)
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [] => {}
        [option, name] if option == "--bug" => _ = broker::BUG.set(name.clone()),
        _ => {
            eprintln!("usage: weir [--bug NAME]");
            std::process::exit(2);
        }
    }
    let mut broker = Broker::default();
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let request: Value = match serde_json::from_str(&line) {
            Ok(request) => request,
            Err(error) => {
                eprintln!("no JSON: {error}: {line}");
                continue;
            }
        };
        let response = match answer(&mut broker, &request) {
            Ok(answer) => json!({"id": request["id"], "answer": answer}),
            Err(Failure(kind, message)) => {
                json!({"id": request["id"], "error": {"kind": kind, "message": message}})
            }
        };
        writeln!(output, "{response}")?;
        output.flush()?;
        if request["verb"] == "stop" {
            break;
        }
    }
    Ok(())
}
