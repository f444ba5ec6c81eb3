'use strict'

// Space: the bytes that messages take of memory, store and temporary files, and the quota of the disk.

const { bug } = require('./bugs')

const DEFAULTS = {
  memory_bytes: 64 * 2 ** 20,
  store_bytes: 100 * 2 ** 30,
  temp_bytes: 10 * 2 ** 30,
  fail_at_once: false,
  fail_after_ms: null,
  quota_bytes: null,
  quota_resume_bytes: null,
}

function defaults() {
  return bug('default-temp-half') ? { ...DEFAULTS, temp_bytes: 5 * 2 ** 30 } : { ...DEFAULTS }
}

// What all destinations share: the limits, and how much of each is used.
class Space {
  constructor() {
    this.limits = defaults()
    this.seenByTopics = null // the limits as topics see them, where a bug keeps old ones
    this.used = { memory: 0, store: 0, temp: 0 }
  }

  configure(usage) {
    for (const [name, figure] of Object.entries(usage)) {
      if (name in this.limits && figure !== null) this.limits[name] = figure
    }
  }

  limitsFor(topic) {
    return topic && this.seenByTopics ? this.seenByTopics : this.limits
  }

  hasMemory(topic) {
    const { memory_bytes: limit } = this.limitsFor(topic)
    const level = bug('shared-32-bit') ? this.used.memory | 0 : this.used.memory
    return bug('shared-memory-exceeded') ? level <= limit : level < limit
  }

  hasStore() {
    return this.used.store < this.limits.store_bytes
  }

  hasTemp() {
    return this.used.temp < this.limits.temp_bytes
  }

  take(kind, bytes) {
    this.used[kind] += bytes
  }

  give(kind, bytes) {
    this.used[kind] = Math.max(0, this.used[kind] - bytes)
  }
}

// The quota of the disk: a latch over the bytes in the store, with the log of its changes.
class Quota {
  constructor(space) {
    this.space = space
    this.closed = false
    this.log = []
  }

  // Looks at the level; tells whether the latch has opened.
  look() {
    const { quota_bytes: limit, quota_resume_bytes: given } = this.space.limits
    const { store } = this.space.used
    const resume = given ?? limit
    const overfull = limit !== null && (bug('quota-at-limit') ? store >= limit : store > limit)
    const underfull = limit === null || (bug('quota-clears-at-resume') ? store <= resume : store < resume)
    if (overfull && (!this.closed || bug('quota-line-repeated'))) {
      this.log.push('[vh(/default)/ms(Penstock)] MST-1008 : Store overfull, flow control will be enforced')
    }
    if (overfull) this.closed = true
    if (!this.closed || overfull || !underfull) return false
    this.closed = false
    this.log.push('[vh(/default)/ms(Penstock)] MST-1009 : Store overfull condition cleared')
    return true
  }
}

module.exports = { Space, Quota }
