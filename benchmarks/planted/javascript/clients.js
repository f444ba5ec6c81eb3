'use strict'

// Clients: producers with the sends that wait, and consumers with what they have in hand.

const { bug } = require('./bugs')

const REFUSAL = 'javax.jms.ResourceAllocationException: Usage manager limit reached, no space for the message'
const OTHER_REFUSAL = 'javax.jms.JMSException: Usage manager limit reached, no space for the message'

class Producer {
  constructor(name, connection, destination, options) {
    Object.assign(this, { name, connection, destination })
    this.transacted = options.transacted ?? false
    this.persistent = options.persistent ?? false
    this.window = options.window_bytes ?? null
    const asynchronous = options.unconfigured ? !this.persistent : (options.asynchronous ?? false)
    this.asynchronous = asynchronous && !this.transacted
    this.closed = false
    this.held = [] // sends that the broker holds, in order
    this.call = null // a send that waits in the client for its window
    this.pending = [] // messages of the open transaction
    this.settled = []
    this.lost = 0 // bytes of the window that no answer gave back
    this.shown = false // what management shows: whether it is stopped
    this.waits = 0
    this.failures = 0
    this.stranded = false // nobody will wake it
    this.late = false // came while the disk was over its quota
  }

  get inFlight() {
    return this.held.reduce((sum, entry) => sum + entry.message.size, this.lost)
  }

  // Whether a message has to wait in the client until the broker has answered.
  exceedsWindow(size) {
    if (this.window === null || this.inFlight === 0) return false
    return bug('window-until-used-up') ? this.inFlight >= this.window : this.inFlight + size > this.window
  }

  // Whether its last call has not returned.
  get waitsInCall() {
    return this.call !== null || (!this.asynchronous && this.held.length > 0)
  }

  settle(id, outcome, reason = '') {
    this.settled.push({ message_id: id, outcome, reason })
  }

  refuse(id, afterTime) {
    this.settle(id, 'rejected', afterTime && bug('fail-other-class') ? OTHER_REFUSAL : REFUSAL)
  }
}

class Consumer {
  constructor(name, connection, subscription, { filtering = false, temporary = false } = {}) {
    Object.assign(this, { name, connection, subscription, filtering, temporary })
    this.hand = []
    this.closed = false
  }
}

module.exports = { Producer, Consumer }
