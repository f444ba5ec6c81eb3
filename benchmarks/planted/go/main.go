// Sluice: a message broker in memory that stops producers at the level of a queue.
// It reads one JSON request a line from stdin and writes one JSON response a line to stdout.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

var capabilities = []string{
	"queue-gate", "several-queues", "default-limits", "limits-readable", "changed-limits", "topics",
	"anonymous-producers", "transactions", "purge", "close-clients", "kill-clients",
	"shared-connections", "ignored-orders", "management-block", "client-wait", "late-answers", "qpid-log",
}

// Limits of a queue as they are configured; nil is not configured.
type Limits struct {
	Bytes  *int64 `json:"limit_bytes,omitempty"`
	Resume *int64 `json:"resume_bytes,omitempty"`
}

// Options of a producer; a field that is left out has its default.
type Options struct {
	Transacted bool   `json:"transacted"`
	Obeys      *bool  `json:"obeys"`
	WaitMs     *int64 `json:"wait_ms"`
	NotifyMs   *int64 `json:"notify_ms"`
}

type request struct {
	ID           int64    `json:"id"`
	Verb         string   `json:"verb"`
	Protocol     int      `json:"protocol"`
	Destination  string   `json:"destination"`
	Destinations []string `json:"destinations"`
	Producer     string   `json:"producer"`
	Consumer     string   `json:"consumer"`
	Connection   string   `json:"connection"`
	MessageID    string   `json:"message_id"`
	SizeBytes    int64    `json:"size_bytes"`
	Ms           int64    `json:"ms"`
	Limits       Limits   `json:"limits"`
	Options      Options  `json:"options"`
}

type object = map[string]any

// failure is an error response.
type failure struct{ kind, message string }

func refuse(format string, values ...any) {
	panic(failure{"refused", fmt.Sprintf(format, values...)})
}

// answer does what the request asks, and panics with a failure where it cannot.
func answer(b *Broker, r request) any {
	switch r.Verb {
	case "start":
		return object{
			"protocol":     1,
			"identity":     object{"name": "sluice", "version": "1.0"},
			"capabilities": capabilities,
			"parameters":   object{"eventually_ms": 0, "never_ms": 0},
		}
	case "stop":
	case "declare":
		b.declare(r.Destination, false, r.Limits)
	case "declare_topic":
		b.declare(r.Destination, true, r.Limits)
	case "declare_defaults":
		b.defaults = r.Limits
	case "change_limits":
		b.changeLimits(b.queue(r.Destination), r.Limits)
	case "limits_in_force":
		return b.queue(r.Destination).limitsInForce()
	case "purge":
		b.purge(b.queue(r.Destination))
	case "block":
		b.order(b.queue(r.Destination), true)
	case "unblock":
		b.order(b.queue(r.Destination), false)
	case "open_producer":
		b.openProducer(r.Producer, r.Connection, r.Destinations, r.Options)
	case "open_anonymous_producer":
		b.openProducer(r.Producer, r.Connection, nil, r.Options)
	case "open_consumer":
		b.openConsumer(r.Consumer, r.Connection, r.Destination)
	case "close_producer":
		b.closeProducer(b.producer(r.Producer), false)
	case "close_consumer":
		b.closeConsumer(b.consumer(r.Consumer), false)
	case "kill":
		b.kill(r.Connection)
	case "send":
		p := b.producer(r.Producer)
		return b.send(p, Message{r.MessageID, r.SizeBytes, p.queues})
	case "send_to":
		return b.send(b.producer(r.Producer), Message{r.MessageID, r.SizeBytes, []*Queue{b.queue(r.Destination)}})
	case "commit":
		return b.commit(b.producer(r.Producer))
	case "rollback":
		b.rollback(b.producer(r.Producer))
	case "settlements":
		p := b.producer(r.Producer)
		settled := p.settled
		p.settled = []object{}
		return settled
	case "client_state":
		p := b.producer(r.Producer)
		return object{"connected": !p.closed, "session_open": !p.closed, "in_transaction": p.transacted && !p.closed}
	case "client_warnings":
		p := b.producer(r.Producer)
		warnings := p.warnings
		p.warnings = []string{}
		return warnings
	case "take":
		c := b.consumer(r.Consumer)
		entry := b.take(c)
		if entry == nil {
			return nil
		}
		return object{"message_id": entry.id, "destination": c.queue.name}
	case "acknowledge":
		b.acknowledge(b.consumer(r.Consumer), r.MessageID)
	case "depth":
		q := b.queue(r.Destination)
		return object{"bytes": q.bytes, "messages": q.count}
	case "standing":
		return object{"stopped": b.producer(r.Producer).stopped()}
	case "advance":
		b.advance(r.Ms)
	case "log_lines":
		lines := b.log
		b.log = []string{}
		return lines
	case "end_scenario":
		b.reset()
	default:
		panic(failure{"unsupported", "no verb " + r.Verb})
	}
	return nil
}

func respond(b *Broker, r request) (response object) {
	defer func() {
		if reason := recover(); reason != nil {
			failed, ok := reason.(failure)
			if !ok {
				panic(reason)
			}
			response = object{"id": r.ID, "error": object{"kind": failed.kind, "message": failed.message}}
		}
	}()
	result := answer(b, r)
	if result == nil {
		return object{"id": r.ID}
	}
	return object{"id": r.ID, "answer": result}
}

func main() {
	chooseBug(os.Args[1:])
	broker := newBroker()
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<16), 1<<26)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			fmt.Fprintln(os.Stderr, "sluice: a line that is no request:", err)
			os.Exit(1)
		}
		line, err := json.Marshal(respond(broker, r))
		if err != nil {
			fmt.Fprintln(os.Stderr, "sluice:", err)
			os.Exit(1)
		}
		os.Stdout.Write(append(line, '\n'))
		if r.Verb == "stop" {
			return
		}
	}
}
