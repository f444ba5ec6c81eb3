package main

import (
	"fmt"
	"slices"
	"strconv"
)

// Message is what a producer sends, once for each of its queues.
type Message struct {
	id     string
	size   int64
	queues []*Queue
}

// Consumer takes from one queue and holds what it did not acknowledge yet.
type Consumer struct {
	name       string
	connection string
	queue      *Queue
	held       []*Entry
	last       *Entry // what it acknowledged last
	second     bool   // another consumer was attached to the queue before it
}

// Broker keeps everything; its clock is a number in ms.
type Broker struct {
	now       int64
	seq       int64
	channels  int
	defaults  Limits
	queues    map[string]*Queue
	producers map[string]*Producer
	inOrder   []*Producer
	consumers map[string]*Consumer
	attached  []*Consumer
	serving   string // the connection whose acknowledgement is carried out
	goingOn   bool   // a send that waited is handed over
	log       []string
}

func newBroker() *Broker {
	b := &Broker{log: []string{}}
	b.reset()
	return b
}

func (b *Broker) reset() {
	b.defaults = Limits{}
	b.queues = map[string]*Queue{}
	b.producers = map[string]*Producer{}
	b.inOrder = nil
	b.consumers = map[string]*Consumer{}
	b.attached = nil
}

func (b *Broker) queue(name string) *Queue {
	q := b.queues[name]
	if q == nil {
		refuse("no destination %s", name)
	}
	return q
}

func (b *Broker) producer(name string) *Producer {
	p := b.producers[name]
	if p == nil {
		refuse("no producer %s", name)
	}
	return p
}

func (b *Broker) consumer(name string) *Consumer {
	c := b.consumers[name]
	if c == nil {
		refuse("no consumer %s", name)
	}
	return c
}

// Management.

func (b *Broker) declare(name string, topic bool, limits Limits) {
	q := &Queue{name: name, topic: topic, heldSince: map[*Producer]int64{}}
	q.configure(limits, b.defaults)
	b.queues[name] = q
}

func (b *Broker) changeLimits(q *Queue, limits Limits) {
	resume := q.resume
	defaults := b.defaults
	if bug("change-forgets-defaults") {
		defaults = Limits{}
	}
	q.configure(limits, defaults)
	if bug("change-keeps-resume") {
		q.resume = resume
	}
	if bug("log-lowered-unnoticed") {
		q.overfull = q.overfull || q.isOverfull()
	}
	b.noteOverfull(q)
	if bug("lower-stops-everybody") && q.isOverfull() {
		for _, p := range b.inOrder {
			if slices.Contains(p.queues, q) {
				b.stop(p, q)
			}
		}
	}
	if bug("raise-releases-nobody") {
		return
	}
	calls := b.putAsideCalls()
	b.letGo(q, false)
	for p, waiting := range calls {
		p.calls = waiting
	}
}

// putAsideCalls is for the planted bug raise-keeps-calls: a change of limits wakes no send that waits.
func (b *Broker) putAsideCalls() map[*Producer][]*call {
	aside := map[*Producer][]*call{}
	if bug("raise-keeps-calls") {
		for _, p := range b.inOrder {
			aside[p] = p.calls
			p.calls = nil
		}
	}
	return aside
}

func (b *Broker) purge(q *Queue) {
	purged := q.waiting
	q.waiting = nil
	if bug("purge-stops-at-hundred") && len(purged) > 100 {
		purged, q.waiting = purged[:100], purged[100:]
	}
	for _, e := range purged {
		if bug("purge-keeps-returned") && e.returned {
			q.count--
			continue
		}
		q.free(e)
	}
	if bug("purge-forgets-held") {
		q.bytes, q.count = 0, 0
	}
	if bug("purge-lifts-order") {
		b.order(q, false)
	}
	if bug("purge-releases-nobody") {
		return
	}
	b.letGo(q, false)
}

// order stops the producers of a queue whatever it holds, or lifts that order.
func (b *Broker) order(q *Queue, stop bool) {
	if bug("topic-order-ignored") && q.topic {
		return
	}
	q.ordered = stop
	for _, p := range b.inOrder {
		if bug("order-lifted-together") && !stop && slices.Contains(p.queues, q) {
			for _, other := range p.queues {
				other.ordered = false
			}
		}
		if bug("order-restarts-time") && stop && len(p.calls) > 0 && slices.Contains(p.queues, q) {
			p.calls[0].since = b.now
		}
	}
	for _, p := range b.inOrder {
		b.goOn(p)
	}
}

// The gate.

// check stops who sent to a queue that is overfull now.
func (b *Broker) check(p *Producer, q *Queue) {
	b.noteOverfull(q)
	capacity := q.capacity
	if known, ok := p.capacities[q]; ok && bug("old-producers-old-capacity") {
		capacity = known
	}
	if !q.isPast(capacity) {
		return
	}
	if bug("order-hides-crossing") && q.ordered {
		return
	}
	if bug("latecomer-two-messages") && p.late {
		p.late = false
		return
	}
	if bug("third-stop-missing") && p.releases >= 2 {
		return
	}
	if bug("old-client-opens-gate") && slices.ContainsFunc(b.inOrder, func(other *Producer) bool {
		return !other.obeys && slices.Contains(other.queues, q)
	}) {
		return
	}
	b.stop(p, q)
	if bug("connection-stopped") {
		for _, other := range b.inOrder {
			if other.connection == p.connection {
				b.stop(other, q)
			}
		}
	}
}

func (b *Broker) stop(p *Producer, q *Queue) {
	if bug("kill-swallows-next-stop") && q.killed > 0 && !slices.Contains(q.holds, p) {
		q.killed--
		return
	}
	if q.hold(p, b.now) {
		named := q
		if bug("log-names-first-queue") && len(p.queues) > 0 {
			named = p.queues[0]
		}
		b.say(p.channel, p.channel, "CHN-1005 : Flow Control Enforced (Queue %s)", named.name)
	}
}

// letGo releases whom the queue holds once it is underfull; a channel goes on when no other queue holds it.
func (b *Broker) letGo(q *Queue, byConsumer bool) {
	if !q.isUnderfull() {
		return
	}
	q.left = nil
	if q.overfull && !(bug("log-overfull-after-management") && !byConsumer) {
		q.overfull = false
		if q.capacity > 0 && !(bug("log-underfull-needs-stopped") && len(q.holds) == 0) {
			resume := q.resume
			if bug("log-capacity-as-resume") {
				resume = q.capacity
			}
			b.say("vh", "vh/qu("+q.name+")", "QUE-1004 : Underfull : Size : %s bytes, Resume Capacity : %s",
				grouped(q.bytes), grouped(resume))
		}
	}
	if bug("order-lifted-by-consumer") && byConsumer && q.ordered {
		b.order(q, false)
	}
	if bug("released-by-second-removal") && len(q.holds) > 0 {
		q.emptying = !q.emptying
		if q.emptying {
			return
		}
	}
	if bug("third-release-missing") && q.releases >= 2 {
		return
	}
	released := b.released(q)
	if len(released) > 0 {
		q.releases++
	}
	for at, p := range released {
		q.drop(p)
		if bug("third-waiter-stranded") && at >= 2 || bug("latecomer-not-released") && p.late {
			p.stranded = true
		}
		if bug("released-by-any") || bug("underfull-together") {
			for _, other := range b.queues {
				other.drop(p)
			}
		}
		if !b.heldByAny(p) {
			p.releases++
			if !bug("log-silent-release") || byConsumer {
				b.say(p.channel, p.channel, "CHN-1006 : Flow Control Removed")
			}
		}
	}
	if bug("waiting-send-forgotten") {
		return
	}
	for _, p := range released {
		b.goOn(p)
		if bug("waiting-sends-stop-at-first") && q.isOverfull() {
			return
		}
	}
}

// released names whom an underfull queue no longer holds: all of them.
func (b *Broker) released(q *Queue) []*Producer {
	if bug("one-waiter-per-removal") && len(q.holds) > 1 {
		return slices.Clone(q.holds[:1])
	}
	if bug("old-client-ends-release") {
		old := slices.IndexFunc(q.holds, func(p *Producer) bool { return !p.obeys })
		if old >= 0 {
			return slices.Clone(q.holds[:old])
		}
	}
	if bug("own-connection-not-released") && b.serving != "" {
		return slices.DeleteFunc(slices.Clone(q.holds), func(p *Producer) bool { return p.connection == b.serving })
	}
	if bug("underfull-together") {
		return slices.DeleteFunc(slices.Clone(q.holds), func(p *Producer) bool {
			for _, other := range b.queues {
				if slices.Contains(other.holds, p) && !other.isUnderfull() {
					return true
				}
			}
			return false
		})
	}
	return slices.Clone(q.holds)
}

func (b *Broker) heldByAny(p *Producer) bool {
	if p.stranded {
		return true
	}
	for _, q := range b.queues {
		if slices.Contains(q.holds, p) {
			return true
		}
	}
	return false
}

func (b *Broker) noteOverfull(q *Queue) {
	if q.isOverfull() && !q.overfull {
		q.overfull = true
		b.say("vh", "vh/qu("+q.name+")", "QUE-1003 : Overfull : Size : %s bytes, Capacity : %s",
			grouped(q.bytes), grouped(q.capacity))
	}
}

// Consumers.

func (b *Broker) openConsumer(name, connection, destination string) {
	c := &Consumer{name: name, connection: connection, queue: b.queue(destination)}
	c.second = slices.ContainsFunc(b.attached, func(other *Consumer) bool { return other.queue == c.queue })
	b.consumers[name] = c
	b.attached = append(b.attached, c)
}

func (b *Broker) take(c *Consumer) *Entry {
	if len(c.queue.waiting) == 0 {
		return nil
	}
	e := c.queue.waiting[0]
	c.queue.waiting = c.queue.waiting[1:]
	c.held = append(c.held, e)
	if bug("gate-ignores-held") {
		b.letGo(c.queue, true)
	}
	return e
}

func (b *Broker) acknowledge(c *Consumer, id string) {
	at := slices.IndexFunc(c.held, func(e *Entry) bool { return e.id == id })
	if at < 0 {
		refuse("%s was not handed out to %s", id, c.name)
	}
	e := c.held[at]
	c.held = slices.Delete(c.held, at, at+1)
	c.last = e
	c.queue.free(e)
	if bug("copy-frees-others") {
		b.freeCopies(c.queue, e)
	}
	if bug("second-consumer-wakes-nobody") && c.second {
		return
	}
	b.serving = c.connection
	b.letGo(c.queue, true)
	b.serving = ""
}

// freeCopies is for the planted bug copy-frees-others.
func (b *Broker) freeCopies(from *Queue, e *Entry) {
	for _, q := range b.queues {
		same := func(other *Entry) bool { return other.id == e.id }
		if q != from && slices.ContainsFunc(q.waiting, same) {
			q.bytes -= e.size
			b.letGo(q, true)
		}
	}
}

func (b *Broker) closeConsumer(c *Consumer, killed bool) {
	if bug("killed-consumer-returns-one") && killed && len(c.held) > 1 {
		c.held = c.held[:1]
	}
	if bug("acknowledged-returned") && !killed && c.last != nil {
		c.held = append(c.held, c.last)
	}
	c.queue.giveBack(c.held)
	if bug("kill-miscounts-messages") && killed {
		c.queue.count -= int64(len(c.held))
	}
	if bug("closed-consumer-frees") && !killed {
		for _, e := range c.held {
			c.queue.bytes -= e.size
		}
		b.letGo(c.queue, true)
	}
	c.held = nil
	delete(b.consumers, c.name)
	b.attached = slices.DeleteFunc(b.attached, func(other *Consumer) bool { return other == c })
}

func (b *Broker) kill(connection string) {
	producers := 0
	for _, p := range slices.Clone(b.inOrder) {
		if p.connection == connection {
			b.closeProducer(p, true)
			producers++
		}
	}
	if bug("kill-forgets-consumer-beside-producer") && producers > 0 {
		return
	}
	for _, c := range slices.Clone(b.attached) {
		if c.connection == connection {
			b.closeConsumer(c, true)
		}
	}
}

// The log.

func (b *Broker) say(actor, subject, format string, values ...any) {
	b.log = append(b.log, fmt.Sprintf("[%s] [%s] ", actor, subject)+fmt.Sprintf(format, values...))
}

// grouped writes a number with a comma between groups of three digits.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	if bug("log-one-comma") && n >= 1000 {
		return digits[:len(digits)-3] + "," + digits[len(digits)-3:]
	}
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
