'use strict'

// The broker: it decides about each message, wakes sends that wait, and does what management and clients order.

const { bug } = require('./bugs')
const { Space, Quota } = require('./space')
const { Destination, Message, Subscription } = require('./destination')
const { Producer, Consumer } = require('./clients')

class Refused extends Error {}

function refuse(text) {
  throw new Refused(text)
}

class Broker {
  constructor() {
    this.now = 0
    this.reset()
  }

  reset() {
    this.seq = 0
    this.space = new Space()
    this.quota = new Quota(this.space)
    this.destinations = new Map()
    this.subscriptions = new Map()
    this.producers = new Map()
    this.consumers = new Map()
    this.connections = new Set()
    this.stalled = new Set()
    this.waiting = [] // sends that the broker holds, in order
    this.late = [] // failed sends and acknowledgements that a bug does later
    this.declaredUsage = { ...this.space.limits }
    this.defaults = {}
    this.patterns = []
    this.keeps = false
    this.paused = false
    this.temporaries = 0
  }

  find(kind, name) {
    return this[kind].get(name) ?? refuse(`there is no ${name} among the ${kind}`)
  }

  open(kind, name) {
    const found = this.find(kind, name)
    return found.closed ? refuse(`${name} is closed`) : found
  }

  // ---- destinations ----

  declare(name, own, { topic = false, connection = null, again = false } = {}) {
    const patterns = this.patterns.filter((pattern) => name.startsWith(pattern.beginning))
    const destination = new Destination(name, { own, inherited: this.defaults, patterns, topic, connection })
    if (again && bug('recreated-without-inherited')) {
      Object.assign(destination, { inherited: {}, patterns: [] })
      destination.configure()
    }
    destination.declared = own
    this.destinations.set(name, destination)
    this.subscriptions.set(name, destination.first)
    return destination
  }

  declareTemporary(connection, limits) {
    this.connections.add(connection)
    this.temporaries += 1
    const name = `temporary.${this.temporaries}`
    this.declare(name, limits, { connection })
    return { name }
  }

  bind(destination, name, { durable = true, later = false } = {}) {
    const subscription = new Subscription(name, destination, durable)
    subscription.later = later
    destination.subscriptions.push(subscription)
    this.subscriptions.set(name, subscription)
    return subscription
  }

  unbind(subscription, how) {
    const { destination } = subscription
    destination.subscriptions = destination.subscriptions.filter((other) => other !== subscription)
    this.subscriptions.delete(subscription.name)
    this.removeAll(subscription, how)
  }

  remove(destination, how) {
    for (const subscription of [...destination.subscriptions]) this.unbind(subscription, how)
    this.destinations.delete(destination.name)
  }

  recreate(name, limits) {
    const old = this.find('destinations', name)
    this.remove(old, 'recreated')
    this.declare(name, limits, { topic: old.topic, again: true })
  }

  changeLimits(name, limits) {
    const destination = this.find('destinations', name)
    destination.own = { ...limits, cursor: destination.own.cursor }
    destination.configure()
    if (bug('off-wakes-nobody') && !destination.flows) return
    this.wake({ how: 'limits', destination })
  }

  changePattern(beginning, limits) {
    const changed = this.patterns.find((pattern) => pattern.beginning === beginning) ?? refuse(`no pattern ${beginning}`)
    if (bug('changed-pattern-new-only')) {
      this.patterns = this.patterns.map((pattern) => (pattern === changed ? { beginning, limits } : pattern))
      return
    }
    changed.limits = { ...limits, cursor: changed.limits.cursor }
    for (const destination of this.destinations.values()) {
      if (bug('changed-pattern-beats-own') && destination.patterns.includes(changed)) destination.own = {}
      destination.configure()
    }
    this.wake({ how: 'limits', destination: null })
  }

  changeUsage(usage) {
    const before = this.space.limits
    this.space.limits = { ...before }
    if (bug('usage-change-forgets-failing')) Object.assign(this.space.limits, { fail_at_once: false, fail_after_ms: null })
    this.space.configure(usage)
    if (bug('memory-lower-ignored-by-topics')) {
      this.space.seenByTopics = this.space.limits.memory_bytes < before.memory_bytes ? before : null
    }
    this.quota.look()
    this.wake({ how: 'usage', destination: null })
  }

  declareUsage(usage) {
    this.changeUsage(usage)
    this.declaredUsage = { ...this.space.limits }
  }

  // ---- messages that come ----

  lacks(destination, message, waited = false) {
    const lacking = []
    if (destination.flows) {
      if (destination.isFull(undefined, waited)) lacking.push('own')
      if ((destination.inMemory || !message.persistent) && !this.space.hasMemory(destination.topic)) lacking.push('memory')
    }
    if (message.persistent && !this.space.hasStore()) lacking.push('store')
    const inFiles = !message.persistent || bug('full-temp-holds-persistent')
    if (inFiles && !destination.inMemory && !this.space.hasTemp()) lacking.push('temp')
    return lacking
  }

  decide(destination, message, { waited = false, coming, unanswered = false } = {}) {
    const { policy } = destination.limits
    if (policy === 'FAIL' && destination.isFull(coming)) return unanswered && bug('refuse-skips-unanswered') ? 'take' : 'refuse'
    if (policy === 'DROP' && destination.isFull(coming)) return 'drop'
    return this.lacks(destination, message, waited).length > 0 ? 'hold' : 'take'
  }

  store(destination, message, { committed = false } = {}) {
    this.seq += 1
    message.seq = this.seq
    const takers = destination.subscriptions.filter((one) => !(bug('idle-durable-misses') && destination.topic && one.idle))
    if (takers.length === 0) return
    message.home = destination
    this.charge(message, { committed })
    for (const subscription of takers) subscription.put(message)
    if (!(committed && bug('quota-commit-unseen'))) this.quota.look()
  }

  charge(message, { committed = false, restarted = false } = {}) {
    const { home } = message
    const inMemory = message.inMemory ?? home.inMemory
    message.kinds = []
    message.charged = 0
    if (inMemory) {
      message.charged = message.size
      home.bytes += message.size
      const forgotten = (bug('topic-ignores-shared') && home.topic) || (bug('commit-uncharged-shared') && committed)
      if (!forgotten) message.kinds.push('memory')
    }
    if (message.persistent && !(restarted && bug('restart-store-zero'))) message.kinds.push('store')
    if (!message.persistent && !inMemory) message.kinds.push('temp')
    for (const kind of message.kinds) this.space.take(kind, message.size)
  }

  // ---- messages that leave ----

  settleCopy(subscription, message, how) {
    message.copies.delete(subscription)
    if (!(how === 'moved' && bug('left-forgets-moved'))) subscription.traffic.left += 1
    if (how === 'expired') subscription.traffic.expired += 1
    if (how === 'expired' && bug('expired-for-one-subscription')) message.expires = null
    const early = (bug('given-up-frees-copies') && how === 'given-up') || bug('topic-first-settled-frees') || (bug('bound-later-frees-all') && subscription.later)
    if (message.copies.size === 0 || early) this.free(message, how)
  }

  free(message, how) {
    if (message.freed) return
    message.freed = true
    if (how === 'unbound' && bug('unbind-keeps-charge')) return
    if (how === 'subscriber-killed' && bug('subscriber-kill-keeps-charge')) return
    message.home.bytes -= message.charged
    for (const kind of message.kinds) {
      const kept =
        (kind === 'memory' && how === 'given-up' && bug('give-up-keeps-shared')) ||
        (kind === 'memory' && how === 'recreated' && bug('recreate-keeps-shared')) ||
        (kind === 'memory' && how === 'temporary' && bug('temporary-keeps-shared')) ||
        (kind === 'temp' && how === 'purged' && bug('purge-keeps-temp')) ||
        (kind === 'store' && how === 'expired' && bug('expired-keeps-store'))
      if (!kept) this.space.give(kind, message.size)
    }
  }

  removeAll(subscription, how, which = () => true) {
    const leaving = subscription.waiting.filter(which)
    subscription.waiting = subscription.waiting.filter((message) => !leaving.includes(message))
    for (const message of leaving) this.settleCopy(subscription, message, how)
    if (leaving.length > 0) this.freed(how, subscription.destination)
    return leaving
  }

  // What follows once space was given back.
  freed(how, destination) {
    const unseen = (how === 'purged' && bug('quota-purge-unseen')) || (how === 'expired' && bug('quota-expired-unseen'))
    if (!unseen && this.quota.look() && bug('quota-frees-writers-only')) {
      for (const producer of this.producers.values()) producer.left = !producer.wrote
    }
    const filtering = [...this.consumers.values()].some(
      (one) => one.filtering && !one.closed && one.subscription.destination === destination,
    )
    const silent =
      (filtering && how === 'acknowledged' && bug('filtering-consumer-silences')) ||
      (how === 'moved' && bug('move-wakes-nobody')) ||
      (how === 'subscriber-closed' && bug('subscriber-close-wakes-nobody')) ||
      (how === 'expired' && bug('expiry-wakes-nobody')) ||
      (how === 'together' && bug('acknowledge-all-wakes-nobody'))
    if (!silent) this.wake({ how, destination })
  }

  // Removes what has expired, also messages that only come now because others have made room.
  expire(subscription) {
    const expired = (message) => message.hasExpired(this.now)
    if (bug('expiry-from-head-only')) {
      while (subscription.waiting.length > 0 && expired(subscription.waiting[0])) {
        const [head] = subscription.waiting
        this.removeAll(subscription, 'expired', (message) => message === head)
      }
      return
    }
    while (this.removeAll(subscription, 'expired', expired).length > 0);
  }

  purge(name) {
    const ready = (message) => message.due === null || this.now >= message.due
    this.removeAll(this.find('subscriptions', name), 'purged', bug('purge-keeps-delayed') ? ready : undefined)
  }

  move(name, to) {
    const from = this.find('subscriptions', name)
    const target = this.find('destinations', to)
    const moving = from.waiting
    from.waiting = []
    for (const message of moving) {
      this.settleCopy(from, message, 'moved')
      const copy = new Message(message)
      if (bug('moved-loses-expiry')) copy.expires = null
      if (bug('moved-becomes-transient')) copy.persistent = false
      if (bug('moved-keeps-cursor')) copy.inMemory = from.destination.inMemory
      this.store(target, copy)
      if (bug('move-charges-shared-twice') && target.inMemory) this.space.take('memory', copy.size)
    }
    this.freed('moved', from.destination)
  }

  browse(name) {
    const subscription = this.find('subscriptions', name)
    const seen = subscription.waiting.filter((message) => !message.hasExpired(this.now))
    if (bug('browse-charges')) {
      for (const message of seen) if (message.charged === 0) subscription.destination.bytes += message.size
    }
    return seen.length
  }

  depth(name) {
    const subscription = this.find('subscriptions', name)
    return { bytes: subscription.destination.bytes, messages: subscription.count }
  }

  traffic(name) {
    const subscription = this.find('subscriptions', name)
    return { ...subscription.traffic, in_hand: subscription.inHand + (subscription.stale ?? 0) }
  }

  // ---- producers ----

  openProducer(name, connection, destination, options) {
    this.connections.add(connection)
    const at = destination === null ? null : this.find('destinations', destination)
    const producer = new Producer(name, connection, at, options)
    producer.late = this.quota.closed
    this.producers.set(name, producer)
  }

  stoppedByQuota(producer) {
    if (!this.quota.closed) return producer.left ?? false
    if (bug('quota-passes-asynchronous') && producer.asynchronous) return false
    if (bug('quota-passes-transient') && !producer.persistent && !this.keeps) return false
    return !(bug('quota-latecomer-free') && producer.late)
  }

  isStopped(producer) {
    return !producer.closed && (this.stoppedByQuota(producer) || producer.waitsInCall)
  }

  send(producer, destination, id, size, { expires = null, due = null } = {}) {
    if (this.isStopped(producer)) return 'blocked'
    if (producer.broken) return 'rejected'
    const persistent = producer.persistent || this.keeps
    const message = new Message({ id, size, persistent, expires, due })
    if (persistent) producer.wrote = true
    if (!producer.asynchronous) return this.arrive(producer, destination, message)
    if (this.exceedsWindow(producer, size)) {
      producer.call = { destination, message }
      return 'unsettled'
    }
    this.arrive(producer, destination, message)
    return 'sent'
  }

  exceedsWindow(producer, size) {
    if (!bug('window-of-connection') || producer.window === null) return producer.exceedsWindow(size)
    const beside = [...this.producers.values()].filter((one) => one.connection === producer.connection)
    const inFlight = beside.reduce((sum, one) => sum + one.inFlight, 0)
    return inFlight > 0 && inFlight + size > producer.window
  }

  // A message comes to the broker: the answer is its outcome.
  arrive(producer, destination, message) {
    const entry = { producer, destination, message, since: this.now }
    if (this.stalled.has(producer.connection) || producer.held.length > 0) return this.hold(entry)
    const decision = this.decide(destination, message, { unanswered: producer.asynchronous })
    if (decision !== 'hold') return this.carryOut(decision, entry)
    if (this.failsAtOnce(destination)) {
      producer.refuse(message.id, false)
      this.countFailure(producer)
      return 'rejected'
    }
    return this.hold(entry)
  }

  failsAtOnce(destination) {
    const { fail_at_once: atOnce, fail_after_ms: after } = this.space.limits
    if (bug('topic-fail-waits') && destination.topic) return false
    if (bug('time-before-at-once') && after !== null) return false
    return atOnce
  }

  carryOut(decision, { producer, destination, message }) {
    if (decision === 'drop') {
      if (bug('dropped-keeps-window')) producer.lost += message.size
      return 'accepted'
    }
    if (decision === 'refuse') {
      if (bug('refused-charged')) destination.bytes += message.size
      producer.refuse(message.id, false)
      return 'rejected'
    }
    if (producer.transacted) {
      producer.pending.push({ destination, message })
      if (bug('rollback-keeps-shared') && destination.inMemory) this.space.take('memory', message.size)
      return 'unsettled'
    }
    if (bug('drop-empties') && destination.limits.policy === 'DROP' && destination.bytes + message.size >= destination.limits.limit_bytes) {
      destination.first.waiting.splice(0).forEach((other) => this.settleCopy(destination.first, other, 'dropped'))
    }
    this.store(destination, message)
    return 'accepted'
  }

  hold(entry) {
    const { producer, destination, message } = entry
    producer.waits += 1
    entry.nth = producer.waits
    entry.lacking = this.lacks(destination, message)
    entry.limit = destination.limits.limit_bytes
    producer.held.push(entry)
    this.waiting.push(entry)
    const unseen =
      (bug('shown-not-for-store') && entry.lacking.includes('store')) ||
      (bug('shown-not-for-anonymous') && producer.destination === null)
    if (!producer.asynchronous && !unseen) producer.shown = true
    return 'unsettled'
  }

  takeAway(entry) {
    entry.producer.held = entry.producer.held.filter((other) => other !== entry)
    this.waiting = this.waiting.filter((other) => other !== entry)
  }

  // Lets sends go on that wait for what is there now; `cause` says what happened, and where.
  wake(cause) {
    const single =
      (cause.how === 'acknowledged' && bug('one-woken-per-acknowledgement')) ||
      (cause.how === 'limits' && bug('raise-wakes-first'))
    this.doLate()
    let progress = true
    while (progress) {
      progress = false
      const line = bug('last-waiter-first') ? [...this.waiting].reverse() : [...this.waiting]
      for (const entry of line) {
        if (bug('stalled-ends-line') && this.stalled.has(entry.producer.connection)) break
        const turn = bug('last-waiter-first') ? entry.producer.held.at(-1) : entry.producer.held[0]
        if ((turn !== undefined && turn !== entry) || !this.waiting.includes(entry) || this.isPassedOver(entry, cause)) continue
        const decision = this.decideAgain(entry)
        if (decision === 'hold') continue
        this.goOn(entry, decision)
        if (single) return
        progress = true
      }
    }
  }

  decideAgain(entry) {
    const { producer, destination, message } = entry
    if (this.stalled.has(producer.connection) || this.stoppedByQuota(producer)) return 'hold'
    if (bug('woken-by-one-limit') && entry.lacking.length > 0) {
      return this.lacks(destination, message).includes(entry.lacking[0]) ? 'hold' : 'take'
    }
    const { limits } = destination
    if (bug('waits-by-higher-limit') && limits.limit_bytes >= 0 && entry.limit > limits.limit_bytes) {
      destination.limits = { ...limits, limit_bytes: entry.limit }
    }
    const decision = this.decide(destination, message, { waited: true })
    destination.limits = limits
    if (decision === 'hold' && bug('fail-time-restarts')) entry.since = this.now
    return decision
  }

  isPassedOver({ producer, destination, lacking, nth }, { how, destination: at }) {
    return (
      producer.stranded ||
      (bug('third-wait-stays') && nth === 3) ||
      (bug('anonymous-not-woken-by-purge') && how === 'purged' && producer.destination === null) ||
      (bug('temp-wakes-nobody') && lacking.includes('temp') && how === 'acknowledged') ||
      (bug('store-raise-wakes-queues') && lacking.includes('store') && how === 'usage' && destination.topic) ||
      (bug('shared-wakes-own-destination') && lacking.includes('memory') && at !== null && at !== destination)
    )
  }

  goOn(entry, decision) {
    const { producer, message } = entry
    this.takeAway(entry)
    producer.shown = false
    const outcome = this.carryOut(decision, entry)
    if (outcome === 'accepted' && !producer.asynchronous) producer.settle(message.id, 'accepted')
    this.clientGoesOn(producer)
  }

  // Makes the call of a client that waited for its window, once that has room.
  clientGoesOn(producer) {
    if (producer.call === null || this.exceedsWindow(producer, producer.call.message.size)) return
    const { destination, message } = producer.call
    producer.call = null
    producer.settle(message.id, 'sent')
    this.arrive(producer, destination, message)
  }

  fail(entry) {
    const { producer, message } = entry
    this.takeAway(entry)
    if (!bug('shown-after-failure')) producer.shown = false
    producer.refuse(message.id, true)
    if (bug('failed-keeps-window')) producer.lost += message.size
    if (bug('failed-stored-later')) this.late.push({ entry })
    this.countFailure(producer)
    this.clientGoesOn(producer)
  }

  countFailure(producer) {
    producer.failures += 1
    if (bug('second-failure-closes') && producer.failures === 2) producer.broken = true
  }

  // Only with a bug: what was put off.
  doLate() {
    const { late } = this
    this.late = []
    for (const one of late) {
      if (one.entry) {
        const { destination, message } = one.entry
        if (this.decide(destination, message) === 'take') this.store(destination, message)
        else this.late.push(one)
      } else if (this.waitsForWindow(one.consumer.connection)) this.late.push(one)
      else this.acknowledge(one.consumer, one.id)
    }
  }

  waitsForWindow(connection) {
    return [...this.producers.values()].some((one) => !one.closed && one.connection === connection && one.call !== null)
  }

  commit(producer) {
    if (producer.held.length > 0) return 'blocked'
    const { pending } = producer
    producer.pending = []
    const coming = new Map()
    const decisions = pending.map(({ destination, message }) => {
      const sum = coming.get(destination) ?? { bytes: 0, messages: 0 }
      const decision = this.decide(destination, message, { coming: sum })
      coming.set(destination, { bytes: sum.bytes + message.size, messages: sum.messages + 1 })
      return decision
    })
    const refused = decisions.includes('refuse') && !bug('refused-commit-stores')
    const dropped = decisions.includes('drop') && bug('commit-dropped-whole')
    pending.forEach(({ destination, message }, at) => {
      if (bug('rollback-keeps-shared') && destination.inMemory) this.space.give('memory', message.size)
      if (refused) return producer.refuse(message.id, false)
      producer.settle(message.id, 'accepted')
      if (decisions[at] === 'drop' || dropped) return undefined
      if (bug('expired-commit-charged') && message.hasExpired(this.now)) {
        destination.bytes += message.size
        return undefined
      }
      return this.store(destination, message, { committed: true })
    })
    if (bug('commit-counts-once') && !refused && !dropped) this.countOnce(coming)
    return refused ? 'rejected' : 'accepted'
  }

  // The planted bug commit-counts-once: what was committed together counts as one message that came.
  countOnce(committed) {
    for (const [destination, { messages }] of committed) {
      for (const subscription of destination.subscriptions) subscription.traffic.came -= messages - 1
    }
  }

  rollback(producer) {
    producer.pending = []
    if (bug('rollback-forgets-held') && !producer.closed) {
      producer.held = []
      return
    }
    for (const entry of producer.held) this.takeAway(entry)
  }

  closeProducer(producer, killed = false) {
    if (killed && bug('kill-strands-next') && producer.held.length > 0) {
      const next = this.waiting[this.waiting.indexOf(producer.held[0]) + 1]
      if (next) next.producer.stranded = true
    }
    producer.closed = true
    producer.shown = false
    producer.call = null
    this.rollback(producer)
  }

  // ---- consumers ----

  openConsumer(name, connection, subscription, kind) {
    this.connections.add(connection)
    subscription.idle = false
    this.consumers.set(name, new Consumer(name, connection, subscription, kind))
  }

  take(consumer) {
    const { subscription } = consumer
    this.expire(subscription)
    if (consumer.filtering) return null
    const ready = (message) => !message.hasExpired(this.now) && (message.due === null || this.now >= message.due)
    const at = subscription.waiting.findIndex(ready)
    if (at < 0) return null
    const [message] = subscription.waiting.splice(at, 1)
    subscription.inHand += 1
    consumer.hand.push(message)
    return { message_id: message.id, destination: subscription.name }
  }

  leaveHand(consumer, id, how) {
    const message = consumer.hand.find((one) => one.id === id) ?? refuse(`${id} was not handed out to ${consumer.name}`)
    consumer.hand = consumer.hand.filter((one) => one !== message)
    consumer.subscription.inHand -= 1
    if (bug('expired-in-hand-freed-twice') && message.hasExpired(this.now)) message.home.bytes -= message.charged
    this.settleCopy(consumer.subscription, message, how)
  }

  acknowledge(consumer, id) {
    if (bug('acknowledgement-behind-wait') && this.waitsForWindow(consumer.connection)) {
      this.late.push({ consumer, id })
      return
    }
    this.leaveHand(consumer, id, 'acknowledged')
    this.freed('acknowledged', consumer.subscription.destination)
  }

  acknowledgeAll(consumer) {
    if (consumer.hand.length === 0) refuse(`${consumer.name} has nothing in hand`)
    if (bug('together-counts-once')) consumer.subscription.traffic.left -= consumer.hand.length - 1
    for (const message of [...consumer.hand]) this.leaveHand(consumer, message.id, 'acknowledged')
    this.freed('together', consumer.subscription.destination)
  }

  giveUp(consumer, id) {
    this.leaveHand(consumer, id, 'given-up')
    this.freed('given-up', consumer.subscription.destination)
  }

  giveBack(consumer, killed = false) {
    const { hand, subscription } = consumer
    consumer.hand = []
    subscription.inHand -= hand.length
    if (killed && bug('in-hand-after-kill')) subscription.stale = (subscription.stale ?? 0) + hand.length
    if (bug('returned-never-expires')) for (const message of hand) message.expires = null
    subscription.putBack(hand)
    if (bug('return-charges-store')) {
      for (const message of hand) if (message.persistent) this.space.take('store', message.size)
    }
    if (bug('returned-counts-as-come')) subscription.traffic.came += hand.length
    if (bug('give-back-frees-shared')) {
      for (const message of hand) if (message.charged > 0) this.space.give('memory', message.size)
      this.wake({ how: 'returned', destination: null })
    }
  }

  closeConsumer(consumer, killed = false) {
    consumer.closed = true
    this.giveBack(consumer, killed)
    if (consumer.temporary) this.unbind(consumer.subscription, killed ? 'subscriber-killed' : 'subscriber-closed')
  }

  // ---- connections and faults ----

  endConnection(connection, { byManagement = false } = {}) {
    const mine = (one) => one.connection === connection && !one.closed
    const waits = [...this.producers.values()].some((one) => mine(one) && one.held.length > 0)
    if (byManagement && waits && bug('closed-connection-stays')) return
    for (const consumer of [...this.consumers.values()].filter(mine)) this.closeConsumer(consumer, true)
    for (const producer of [...this.producers.values()].filter(mine)) this.closeProducer(producer, true)
    for (const destination of [...this.destinations.values()]) {
      if (destination.connection !== connection) continue
      this.remove(destination, 'temporary')
      if (bug('second-temporary-stays')) break
    }
    this.connections.delete(connection)
    this.stalled.delete(connection)
  }

  unstall(connection) {
    this.stalled.delete(connection)
    if (!bug('unstall-wakes-nobody')) this.wake({ how: 'unstalled', destination: null })
  }

  cutInSend(producer, id, size, arrives) {
    if (this.isStopped(producer)) return 'blocked'
    if (arrives) this.send(producer, producer.destination, id, size)
    else if (bug('cut-half-charged')) producer.destination.bytes += size
    this.endConnection(producer.connection)
    return 'unsettled'
  }

  restart() {
    const inHand = new Set([...this.consumers.values()].flatMap((consumer) => consumer.hand))
    for (const client of [...this.consumers.values(), ...this.producers.values()]) {
      client.closed = true
      if (client.hand) client.subscription.putBack(client.hand.splice(0))
      else Object.assign(client, { held: [], call: null, pending: [], shown: false })
    }
    this.waiting = []
    this.connections.clear()
    this.stalled.clear()
    this.space.used = { memory: 0, store: 0, temp: 0 }
    if (bug('restart-forgets-changed-usage')) this.space.limits = { ...this.declaredUsage }
    this.quota.closed = false
    for (const destination of [...this.destinations.values()]) {
      if (destination.connection !== null) this.remove(destination, 'temporary')
      else this.readAgain(destination, inHand)
    }
    if (!bug('quota-restart-unseen')) this.quota.look()
  }

  readAgain(destination, inHand) {
    destination.bytes = 0
    if (bug('restart-forgets-changed-limit')) destination.own = destination.declared
    destination.configure()
    const gone = destination.subscriptions.filter((one) => !one.durable)
    destination.subscriptions = destination.subscriptions.filter((one) => one.durable)
    for (const subscription of gone) this.subscriptions.delete(subscription.name)
    const messages = new Set()
    for (const subscription of destination.subscriptions) {
      const lost = (message) => !message.persistent || (bug('restart-in-hand-lost') && inHand.has(message))
      subscription.waiting = subscription.waiting.filter((message) => !lost(message))
      subscription.inHand = 0
      subscription.idle = true
      subscription.traffic = { came: 0, left: 0, expired: 0 }
      for (const message of subscription.waiting) {
        if (bug('restart-charges-each-copy') && messages.has(message)) this.charge(message, { restarted: true })
        messages.add(message)
      }
    }
    for (const message of messages) {
      if (bug('restart-forgets-expiry')) message.expires = null
      for (const subscription of gone) message.copies.delete(subscription)
      this.charge(message, { restarted: true })
    }
  }

  // ---- time ----

  advance(ms) {
    const until = this.now + ms
    if (!this.paused) this.failUntil(until)
    this.now = until
  }

  unpause() {
    this.paused = false
    this.failUntil(this.now)
    if (bug('unpause-lets-first-go') && this.waiting.length > 0) this.goOn(this.waiting[0], 'take')
  }

  dueTime(entry) {
    const { fail_after_ms: after } = this.space.limits
    if (after === null || (bug('store-wait-never-fails') && entry.lacking.includes('store'))) return Infinity
    return entry.since + after - (bug('fails-one-ms-early') ? 1 : 0)
  }

  failUntil(until) {
    for (;;) {
      const due = this.waiting.filter((entry) => this.dueTime(entry) <= until)
      if (due.length === 0) return
      due.sort((one, other) => this.dueTime(one) - this.dueTime(other))
      this.now = Math.max(this.now, this.dueTime(due[0]))
      this.fail(due[0])
    }
  }
}

module.exports = { Broker, Refused }
