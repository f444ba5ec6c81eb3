'use strict'

// Destinations: queues and topics with their limits, and the subscriptions that hold their messages.

const { bug } = require('./bugs')

const UNLIMITED = -1
const BUILT_IN = { limit_bytes: UNLIMITED, limit_messages: UNLIMITED, policy: 'BLOCK', cursor: 'file' }

// A message that a destination holds; `copies` are the subscriptions that have not settled it.
class Message {
  constructor({ id, size, persistent, expires, due }) {
    Object.assign(this, { id, size, persistent, expires, due })
    this.copies = new Set()
    this.kinds = [] // of space that it takes
    this.charged = 0 // bytes of its destination's memory
    this.seq = 0
  }

  hasExpired(now) {
    return this.expires !== null && now >= this.expires
  }
}

// One line of messages: a queue's own, or that of a subscription of a topic.
class Subscription {
  constructor(name, destination, durable = true) {
    Object.assign(this, { name, destination, durable })
    this.waiting = []
    this.inHand = 0
    this.idle = false // was read from disk, and no consumer came since
    this.later = false // was bound to a topic in use
    this.traffic = { came: 0, left: 0, expired: 0 }
  }

  get count() {
    return this.waiting.length + this.inHand
  }

  put(message) {
    this.waiting.push(message)
    message.copies.add(this)
    this.traffic.came += 1
  }

  // Puts messages back to where they were before they were handed out.
  putBack(messages) {
    this.waiting.push(...messages)
    this.waiting.sort((one, other) => one.seq - other.seq)
  }
}

class Destination {
  constructor(name, { own, inherited, patterns, topic = false, connection = null }) {
    Object.assign(this, { name, own, inherited, patterns, topic, connection })
    this.bytes = 0
    this.subscriptions = [new Subscription(name, this)]
    this.shownPercent = 0
    this.shownLimit = null
    this.configure()
  }

  // Puts limits in force, field by field: its own, then the closest pattern's, then those for all destinations.
  configure() {
    const sorted = [...this.patterns].sort((one, other) => other.beginning.length - one.beginning.length)
    const closest = bug('pattern-first-wins') ? this.patterns : sorted
    const layers = [this.own, ...closest.map((pattern) => pattern.limits), this.inherited, BUILT_IN]
    const alone = bug('own-limit-alone') && Object.values(this.own).some((figure) => figure !== null && figure !== undefined)
    this.limits = {}
    for (const field of Object.keys(BUILT_IN)) {
      let from = alone ? [this.own, BUILT_IN] : layers
      if (field === 'cursor' && bug('pattern-cursor-ignored')) from = [this.own, this.inherited, BUILT_IN]
      this.limits[field] = from.map((layer) => layer[field]).find((figure) => figure !== null && figure !== undefined)
    }
    if (!bug('percent-stale-after-change') || this.shownLimit === null) this.shownLimit = this.limits.limit_bytes
  }

  get first() {
    return this.subscriptions[0]
  }

  get messages() {
    const held = new Set()
    for (const subscription of this.subscriptions) held.add(subscription.count)
    if (bug('topic-counts-copies')) return this.subscriptions.reduce((sum, one) => sum + one.count, 0)
    return Math.max(0, ...held)
  }

  get flows() {
    return this.limits.policy !== 'NONE'
  }

  // Whether its messages stay in memory; those of topics always do.
  get inMemory() {
    return this.topic || this.limits.cursor === 'memory'
  }

  // Whether a limit of its own is reached; `coming` are bytes and messages that come before.
  isFull(coming = { bytes: 0, messages: 0 }, waited = false) {
    const { limit_bytes: limit, limit_messages: most, policy } = this.limits
    const inMessages = most !== UNLIMITED && this.messages + coming.messages >= most
    if (inMessages && !(bug('refuse-by-bytes-alone') && policy === 'FAIL')) return true
    if (limit === UNLIMITED) return false
    const bytes = this.bytes + coming.bytes
    if (bug('full-one-byte-late') || (waited && bug('wakes-at-limit'))) return bytes > limit
    if (waited && bug('wakes-with-slack')) return bytes > limit * 0.9
    return bytes >= limit
  }

  shown() {
    if (this.shownLimit === UNLIMITED) return null
    if (bug('percent-ignores-in-hand')) {
      const waiting = this.first.waiting.reduce((sum, message) => sum + message.charged, 0)
      return Math.floor((waiting * 100) / this.shownLimit)
    }
    const hundredfold = bug('percent-32-bit') ? (this.bytes * 100) | 0 : this.bytes * 100
    return Math.floor(hundredfold / this.shownLimit)
  }
}

module.exports = { Destination, Message, Subscription }
