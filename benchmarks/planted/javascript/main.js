'use strict'

// Speaks the line protocol on stdin and stdout, and asks the broker for each answer.

const readline = require('node:readline')
const { chooseBug } = require('./bugs')
const { Broker, Refused } = require('./broker')

const CAPABILITIES = [
  'stops-producers', 'memory-limit', 'message-limit', 'producer-window', 'asynchronous-sends', 'default-sends',
  'persistent-messages', 'ordered-messages', 'shared-connections', 'file-cursor', 'counts-expired', 'limits-readable',
  'default-limits', 'pattern-limits', 'changed-patterns', 'usage-limits', 'changed-usage', 'usage-readable',
  'traffic-readable', 'stops-shown', 'usage-shown', 'changed-limits', 'purge', 'moves-messages', 'lists-messages',
  'browsed-messages', 'dead-letters', 'returned-messages', 'acknowledges-together', 'recreated-destinations',
  'filtering-consumers', 'expiring-messages', 'expiring-transacted', 'delayed-messages', 'temporary-destinations',
  'topics', 'several-bindings', 'later-bindings', 'temporary-subscriptions', 'anonymous-producers', 'transactions',
  'late-answers', 'close-clients', 'kill-clients', 'management-close', 'restarts-broker', 'pauses-broker',
  'cuts-connections', 'disk-quota', 'exact-disk-use', 'qpid-log', 'refusing-policy', 'dropping-policy',
]

class Unsupported extends Error {}

const broker = new Broker()

const destination = (r) => broker.find('destinations', r.destination)
const subscription = (r) => broker.find('subscriptions', r.destination)
const producer = (r) => broker.open('producers', r.producer)
const consumer = (r) => broker.open('consumers', r.consumer)

function send(r, extra) {
  const by = producer(r)
  return broker.send(by, by.destination, r.message_id, r.size_bytes, extra)
}

const verbs = {
  start: () => ({
    protocol: 1,
    identity: { name: 'penstock', version: '0.1' },
    capabilities: CAPABILITIES,
    parameters: { eventually_ms: 0, never_ms: 0 },
  }),
  stop: () => null,
  end_scenario: () => broker.reset(),

  declare: (r) => void broker.declare(r.destination, r.limits ?? {}),
  declare_topic: (r) => void broker.declare(r.destination, r.limits ?? {}, { topic: true }),
  declare_temporary: (r) => broker.declareTemporary(r.connection, r.limits ?? {}),
  declare_bound: (r) => {
    const topic = broker.declare(r.destination, r.limits ?? {}, { topic: true })
    for (const name of [...Object.keys(r.before ?? {}), r.after]) broker.bind(topic, name)
  },
  bind: (r) => void broker.bind(destination(r), r.queue, { later: true }),
  unbind: (r) => broker.unbind(broker.find('subscriptions', r.queue), 'unbound'),
  recreate: (r) => broker.recreate(r.destination, r.limits ?? {}),
  declare_defaults: (r) => void (broker.defaults = r.limits ?? {}),
  declare_pattern: (r) => void broker.patterns.push({ beginning: r.beginning, limits: r.limits ?? {} }),
  change_pattern: (r) => broker.changePattern(r.beginning, r.limits ?? {}),
  change_limits: (r) => broker.changeLimits(r.destination, r.limits ?? {}),
  limits_in_force: (r) => destination(r).limits,
  declare_usage: (r) => broker.declareUsage(r.usage ?? {}),
  change_usage: (r) => broker.changeUsage(r.usage ?? {}),
  usage_in_force: () => broker.space.limits,

  depth: (r) => broker.depth(r.destination),
  traffic: (r) => broker.traffic(r.destination),
  shown_percent: (r) => destination(r).shown(),
  list_messages: (r) => subscription(r).waiting.length,
  browse: (r) => broker.browse(r.destination),
  purge: (r) => broker.purge(r.destination),
  move: (r) => broker.move(r.destination, r.to),
  log_lines: () => broker.quota.log.splice(0),

  open_producer: (r) => broker.openProducer(r.producer, r.connection, r.destinations[0], r.options ?? {}),
  open_anonymous_producer: (r) => broker.openProducer(r.producer, r.connection, null, {}),
  send: (r) => send(r),
  send_to: (r) => broker.send(producer(r), destination(r), r.message_id, r.size_bytes),
  send_expiring: (r) => send(r, { expires: broker.now + r.lives_ms }),
  send_delayed: (r) => send(r, { due: broker.now + r.delay_ms }),
  commit: (r) => broker.commit(producer(r)),
  rollback: (r) => broker.rollback(producer(r)),
  settlements: (r) => broker.find('producers', r.producer).settled.splice(0),
  standing: (r) => ({ stopped: broker.isStopped(broker.find('producers', r.producer)) }),
  shown_stopped: (r) => {
    const one = broker.find('producers', r.producer)
    return one.closed ? null : one.shown || broker.stoppedByQuota(one)
  },
  close_producer: (r) => broker.closeProducer(producer(r)),

  open_consumer: (r) => broker.openConsumer(r.consumer, r.connection, subscription(r)),
  open_filtering_consumer: (r) => broker.openConsumer(r.consumer, r.connection, subscription(r), { filtering: true }),
  subscribe: (r) => {
    const bound = broker.bind(destination(r), r.consumer, { durable: false, later: true })
    broker.openConsumer(r.consumer, r.connection, bound, { temporary: true })
  },
  take: (r) => broker.take(consumer(r)),
  acknowledge: (r) => broker.acknowledge(consumer(r), r.message_id),
  acknowledge_all: (r) => broker.acknowledgeAll(consumer(r)),
  give_up: (r) => broker.giveUp(consumer(r), r.message_id),
  give_back: (r) => broker.giveBack(consumer(r)),
  close_consumer: (r) => broker.closeConsumer(consumer(r)),

  kill: (r) => broker.endConnection(r.connection),
  close_connection: (r) => broker.endConnection(r.connection, { byManagement: true }),
  has_connection: (r) => broker.connections.has(r.connection),
  make_cuttable: () => null,
  stall: (r) => void broker.stalled.add(r.connection),
  unstall: (r) => broker.unstall(r.connection),
  cut_in_send: (r) => broker.cutInSend(producer(r), r.message_id, r.size_bytes, r.arrives),
  keep_data: () => void (broker.keeps = true),
  restart_broker: () => broker.restart(),
  pause_broker: () => void (broker.paused = true),
  unpause_broker: () => broker.unpause(),
  advance: (r) => broker.advance(r.ms),
}

function respond(r) {
  try {
    if (!Object.hasOwn(verbs, r.verb)) throw new Unsupported(`no verb ${r.verb}`)
    return { id: r.id, answer: verbs[r.verb](r) ?? null }
  } catch (error) {
    const kind = error instanceof Refused ? 'refused' : error instanceof Unsupported ? 'unsupported' : 'failed'
    if (kind === 'failed') process.stderr.write(`${error.stack}\n`)
    return { id: r.id, error: { kind, message: error.message } }
  }
}

chooseBug(process.argv.slice(2))
const lines = readline.createInterface({ input: process.stdin, crlfDelay: Infinity })
lines.on('line', (line) => {
  const request = JSON.parse(line)
  process.stdout.write(`${JSON.stringify(respond(request))}\n`)
  if (request.verb === 'stop') process.exit(0)
})
