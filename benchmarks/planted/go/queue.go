package main

import (
	"slices"
	"sort"
)

// Entry is one message on one queue.
type Entry struct {
	id       string
	size     int64
	seq      int64
	returned bool // a consumer gave it back
}

// Queue holds messages in order and knows whom it stopped; levels and sizes are in bytes.
type Queue struct {
	name      string
	topic     bool
	capacity  int64 // 0 is no limit
	resume    int64
	waiting   []*Entry
	bytes     int64 // of all entries, those that consumers hold included
	count     int64
	freed     int64 // how many entries have left
	releases  int64 // how often it has released whom it held
	overfull  bool  // the log said that it is overfull, and not yet that it is underfull
	ordered   bool  // management stopped its producers
	emptying  bool
	holds     []*Producer // whom it stopped, in order
	heldSince map[*Producer]int64
	left      []string // connections on which a channel that it stopped was closed
	killed    int      // how many channels that it stopped lost their connection
}

func configured(own, inherited *int64, otherwise int64) int64 {
	if own != nil {
		return *own
	}
	if inherited != nil {
		return *inherited
	}
	return otherwise
}

// configure puts limits in force: the queue's own, then the defaults of all queues, level by level.
func (q *Queue) configure(own, defaults Limits) {
	unlimited := int64(0)
	if bug("topic-ignores-defaults") && q.topic {
		defaults = Limits{}
	}
	if bug("default-capacity") {
		unlimited = 10 << 20
	}
	if bug("own-zero-inherits") && own.Bytes != nil && *own.Bytes == 0 && defaults.Bytes != nil {
		own.Bytes = nil
	}
	q.capacity = configured(own.Bytes, defaults.Bytes, unlimited)
	level := q.capacity
	if bug("default-resume-80-percent") {
		level = q.capacity * 80 / 100
	}
	if bug("own-capacity-hides-resume") && own.Bytes != nil {
		defaults.Resume = nil
	}
	q.resume = configured(own.Resume, defaults.Resume, level)
	if bug("resume-capped") && q.capacity > 0 {
		q.resume = min(q.resume, q.capacity)
	}
}

func (q *Queue) limitsInForce() Limits { return Limits{Bytes: &q.capacity, Resume: &q.resume} }

// level is what the gate compares: the bytes of all messages.
func (q *Queue) level() int64 {
	if bug("level-in-32-bits") {
		return int64(int32(q.bytes))
	}
	if bug("gate-ignores-held") {
		var level int64
		for _, e := range q.waiting {
			level += e.size
		}
		return level
	}
	return q.bytes
}

func (q *Queue) isOverfull() bool { return q.isPast(q.capacity) }

func (q *Queue) isPast(capacity int64) bool {
	if bug("topic-unlimited") && q.topic {
		return false
	}
	if bug("stops-at-capacity") {
		return capacity > 0 && q.level() >= capacity
	}
	return capacity > 0 && q.level() > capacity
}

func (q *Queue) isUnderfull() bool {
	switch {
	case bug("releases-at-resume"):
		return q.capacity <= 0 || q.level() <= q.resume
	case bug("releases-one-byte-late"):
		return q.capacity <= 0 || q.level() < q.resume-1
	case bug("topic-without-gap") && q.topic:
		return q.capacity <= 0 || q.level() < q.capacity
	case bug("unlimited-keeps-stopped"):
		return q.level() < q.resume
	}
	return q.capacity <= 0 || q.level() < q.resume
}

func (q *Queue) put(e *Entry) {
	before := q.isOverfull()
	q.bytes += e.size
	q.count++
	if bug("crossing-lost") && !before && q.isOverfull() {
		return
	}
	q.waiting = append(q.waiting, e)
}

func (q *Queue) free(e *Entry) {
	q.freed++
	q.count--
	switch {
	case bug("hundredth-not-freed") && q.freed%100 == 0:
	case bug("oversized-not-all-freed") && q.capacity > 0 && e.size > q.capacity:
		q.bytes -= q.capacity
	case bug("returned-freed-twice") && e.returned:
		q.bytes -= 2 * e.size
	default:
		q.bytes -= e.size
	}
}

// giveBack puts entries that a consumer held where they were before.
func (q *Queue) giveBack(entries []*Entry) {
	if bug("returned-past-capacity-dropped") && q.isOverfull() {
		for _, e := range entries {
			q.free(e)
		}
		return
	}
	for _, e := range entries {
		e.returned = true
	}
	q.waiting = append(q.waiting, entries...)
	sort.Slice(q.waiting, func(i, j int) bool { return q.waiting[i].seq < q.waiting[j].seq })
}

// hold stops a producer, and tells whether it was free of this queue before.
func (q *Queue) hold(p *Producer, now int64) bool {
	if slices.Contains(q.holds, p) {
		return false
	}
	q.holds = append(q.holds, p)
	q.heldSince[p] = now
	return true
}

func (q *Queue) drop(p *Producer) {
	q.holds = slices.DeleteFunc(q.holds, func(other *Producer) bool { return other == p })
	delete(q.heldSince, p)
}
