package main

import (
	"fmt"
	"slices"
)

// call is a send that waits in the client, or a commit behind one.
type call struct {
	message Message
	commits bool
	since   int64 // when it began to wait, once it is the first
	notices int64
}

// Producer has a channel of its own, and the client at the other end of it.
type Producer struct {
	name         string
	connection   string
	channel      string
	queues       []*Queue
	transacted   bool
	obeys        bool
	waits        bool
	waitMs       *int64
	notifyMs     *int64
	broker       *Broker
	pending      []Message // of the open transaction
	calls        []*call
	settled      []object
	warnings     []string
	closed       bool
	late         bool             // one of its queues was overfull when it was opened
	stranded     bool             // nobody will release it
	releases     int64            // how often it was released
	notices      int64            // how many warnings it has written
	first        *Queue           // the first destination that an anonymous producer named
	failed       []Message        // whose sends waited for too long
	capacities   map[*Queue]int64 // of its queues, when it was opened
	lastOfCommit bool             // it stores the last of several committed messages, and a bug does not look at the level
}

func (b *Broker) openProducer(name, connection string, destinations []string, options Options) {
	b.channels++
	p := &Producer{
		name: name, connection: connection, channel: fmt.Sprintf("con:%s/ch:%d", connection, b.channels), broker: b,
		transacted: options.Transacted, obeys: options.Obeys == nil || *options.Obeys,
		waits: options.WaitMs != nil || options.NotifyMs != nil, waitMs: options.WaitMs, notifyMs: options.NotifyMs,
		settled: []object{}, warnings: []string{}, capacities: map[*Queue]int64{},
	}
	for _, destination := range destinations {
		q := b.queue(destination)
		p.queues = append(p.queues, q)
		p.late = p.late || q.isOverfull()
		p.capacities[q] = q.capacity
	}
	if bug("failure-time-whole-seconds") && p.waitMs != nil && *p.waitMs > 1000 {
		whole := *p.waitMs / 1000 * 1000
		p.waitMs = &whole
	}
	b.producers[name] = p
	b.inOrder = append(b.inOrder, p)
	for _, q := range p.queues {
		if bug("channel-inherits-stop") && slices.Contains(q.left, connection) {
			b.stop(p, q)
		}
	}
}

// stopped tells whether the client holds back what is sent to its own queues.
func (p *Producer) stopped() bool { return p.heldBack(p.queues) }

func (p *Producer) heldBack(queues []*Queue) bool {
	if p.closed || !p.obeys && !bug("old-client-held-back") {
		return false
	}
	for _, q := range queues {
		if q.ordered && !(bug("anonymous-ignores-order") && len(p.queues) == 0) {
			return true
		}
	}
	return p.broker.heldByAny(p)
}

// send hands a message over, or lets it wait in the client, or answers that the producer is stopped.
func (b *Broker) send(p *Producer, m Message) string {
	if p.closed {
		refuse("%s is closed", p.name)
	}
	if bug("oversized-refused") && slices.ContainsFunc(m.queues, func(q *Queue) bool {
		return q.capacity > 0 && m.size > q.capacity
	}) && !p.heldBack(m.queues) {
		return "rejected"
	}
	if !p.heldBack(m.queues) && len(p.calls) == 0 {
		return b.handOver(p, m)
	}
	if !p.waits {
		return "blocked"
	}
	b.wait(p, &call{message: m, since: b.waitsSince(p)})
	return "unsettled"
}

// waitsSince says from when the time of a send counts that begins to wait now.
func (b *Broker) waitsSince(p *Producer) int64 {
	since := b.now
	for _, q := range b.queues {
		if stopped, ok := q.heldSince[p]; ok && bug("time-from-stop") {
			since = min(since, stopped)
		}
	}
	return since
}

func (b *Broker) wait(p *Producer, c *call) {
	p.calls = append(p.calls, c)
	b.tick(p)
}

func (b *Broker) handOver(p *Producer, m Message) string {
	if p.transacted {
		p.pending = append(p.pending, m)
		if bug("rollback-keeps-charge") {
			for _, q := range m.queues {
				q.bytes += m.size
			}
		}
		return "unsettled"
	}
	b.store(p, m)
	return "accepted"
}

// store puts a message on its queues, and looks at their levels afterwards.
func (b *Broker) store(p *Producer, m Message) {
	if bug("checked-before-stored") {
		b.checkAll(p, m)
	}
	for _, q := range m.queues {
		b.seq++
		q.put(&Entry{id: m.id, size: m.size, seq: b.seq})
		if bug("second-copy-lost") && q.isOverfull() {
			break
		}
	}
	unchecked := bug("commit-unchecked") && p.transacted || bug("waited-unchecked") && b.goingOn || p.lastOfCommit
	if !bug("checked-before-stored") && !unchecked {
		b.checkAll(p, m)
	}
}

func (b *Broker) checkAll(p *Producer, m Message) {
	if len(p.queues) == 0 && p.first == nil {
		p.first = m.queues[0]
	}
	for at, q := range m.queues {
		if bug("second-queue-unchecked") && at > 0 {
			return
		}
		if bug("anonymous-checks-first") && p.first != nil {
			q = p.first
		}
		b.check(p, q)
	}
}

func (b *Broker) commit(p *Producer) string {
	if len(p.calls) > 0 {
		b.wait(p, &call{commits: true, since: b.now})
		return "unsettled"
	}
	pending := p.pending
	p.pending = nil
	dropping := false
	for at, m := range pending {
		p.lastOfCommit = bug("commit-checks-before-last") && at > 0 && at == len(pending)-1
		if bug("rollback-keeps-charge") {
			for _, q := range m.queues {
				q.bytes -= m.size
			}
		}
		if !dropping {
			b.store(p, m)
		}
		dropping = bug("commit-drops-past-crossing") && slices.ContainsFunc(m.queues, (*Queue).isOverfull)
		p.settle(m.id, "accepted", "")
	}
	p.lastOfCommit = false
	return "accepted"
}

func (b *Broker) rollback(p *Producer) {
	if bug("rollback-stores-last") && len(p.pending) > 1 {
		b.store(p, p.pending[len(p.pending)-1])
	}
	p.pending = nil
	if bug("rollback-lifts-stop") {
		for _, q := range b.queues {
			q.drop(p)
		}
		b.goOn(p)
	}
}

func (p *Producer) settle(id, outcome, reason string) {
	p.settled = append(p.settled, object{"message_id": id, "outcome": outcome, "reason": reason})
}

// goOn makes the calls that wait, one after the other, until the producer is stopped again.
func (b *Broker) goOn(p *Producer) {
	for len(p.failed) > 0 && !p.heldBack(p.failed[0].queues) {
		b.store(p, p.failed[0])
		p.failed = p.failed[1:]
	}
	for len(p.calls) > 0 {
		c := p.calls[0]
		if !c.commits && p.heldBack(c.message.queues) {
			return
		}
		p.calls = p.calls[1:]
		if len(p.calls) > 0 {
			p.calls[0].since = b.now
			if bug("next-call-inherits-time") {
				p.calls[0].since = c.since
			}
		}
		if c.commits {
			rest := p.calls
			p.calls = nil
			b.commit(p)
			p.calls = rest
		} else if bug("waited-skips-transaction") && p.transacted {
			b.store(p, c.message)
		} else {
			b.goingOn = true
			if b.handOver(p, c.message) == "accepted" {
				p.settle(c.message.id, "accepted", "")
			}
			b.goingOn = false
		}
	}
}

func (b *Broker) advance(ms int64) {
	b.now += ms
	if bug("order-expires") {
		b.forgetOrders()
	}
	for _, p := range slices.Clone(b.inOrder) {
		b.tick(p)
	}
}

func (b *Broker) forgetOrders() {
	for _, q := range b.queues {
		for _, p := range slices.Clone(q.holds) {
			if b.now-q.heldSince[p] >= 100 {
				q.drop(p)
				b.goOn(p)
			}
		}
	}
}

// tick writes the warnings that are due, and fails the call that waited for too long.
func (b *Broker) tick(p *Producer) {
	for len(p.calls) > 0 && !p.calls[0].commits {
		c := p.calls[0]
		waited := b.now - c.since
		for p.notifyMs != nil {
			written := c.notices
			if bug("notices-not-reset") {
				written = p.notices
			}
			due := (written + 1) * *p.notifyMs
			last := p.waitMs != nil && due == *p.waitMs && bug("notice-with-failure")
			if bug("notices-stop-at-ten") && c.notices >= 10 {
				break
			}
			if due > waited || p.waitMs != nil && due >= *p.waitMs && !last {
				break
			}
			c.notices++
			p.notices++
			delay := due
			if bug("notice-names-period") {
				delay = *p.notifyMs
			}
			p.warnings = append(p.warnings, fmt.Sprintf(
				"WARN Message send delayed by %gs due to broker enforced flow control", float64(delay)/1000))
		}
		if p.waitMs == nil || waited < *p.waitMs || bug("fails-one-ms-late") && waited == *p.waitMs {
			return
		}
		if bug("failed-send-empties-transaction") {
			p.pending = nil
		}
		if bug("failed-message-sent") {
			p.failed = append(p.failed, c.message)
		}
		p.settle(c.message.id, "rejected", "javax.jms.JMSException: Unable to send message due to broker enforced flow control")
		p.calls = p.calls[1:]
		if len(p.calls) > 0 {
			p.calls[0].since = c.since + *p.waitMs
			if p.calls[0].commits {
				b.goOn(p)
			}
		}
	}
}

func (b *Broker) closeProducer(p *Producer, killed bool) {
	if bug("close-commits") && !killed {
		b.commit(p)
	}
	p.closed = true
	p.pending = nil
	p.calls = nil
	for _, q := range b.queues {
		at := slices.Index(q.holds, p)
		if bug("kill-strands-next") && killed && at >= 0 && at+1 < len(q.holds) {
			q.holds[at+1].stranded = true
		}
		if bug("log-closed-as-released") && !killed && at >= 0 {
			b.say(p.channel, p.channel, "CHN-1006 : Flow Control Removed")
		}
		if at >= 0 && killed {
			q.killed++
		}
		if at >= 0 && !killed {
			q.left = append(q.left, p.connection)
		}
		q.drop(p)
		if bug("close-stopped-frees-others") && !killed && at >= 0 {
			q.holds = nil
		}
	}
	b.inOrder = slices.DeleteFunc(b.inOrder, func(other *Producer) bool { return other == p })
}
