//! The broker: addresses, AMQP producers with credit, consumers with windows, and a virtual clock.
//! Sizes and levels are in bytes, times in milliseconds; -1 is no limit.

use std::collections::{BTreeMap, VecDeque};
use std::sync::OnceLock;

pub const NO_LIMIT: i64 = -1;
const DEFAULT_MAX_SIZE: i64 = 10 * 1024 * 1024;
const DEFAULT_CREDIT: i64 = 100;
const DEFAULT_CREDIT_LOW: i64 = 30;
const DEFAULT_CONSUMER_WINDOW: i64 = 1024 * 1024;
const SECOND_MS: i64 = 1000;

/// The planted bug that is switched on, if any.
pub static BUG: OnceLock<String> = OnceLock::new();

pub fn bug(name: &str) -> bool {
    BUG.get().is_some_and(|on| on == name)
}

/// Why a verb has no answer: the kind of error and a sentence.
pub struct Failure(pub &'static str, pub String);

pub type Answer<T> = Result<T, Failure>;

#[derive(Clone, Copy, PartialEq)]
pub enum Outcome {
    Accepted,
    Rejected,
    Blocked,
    Unsettled,
}

/// How an AMQP producer is connected.
#[derive(Clone, Copy, PartialEq)]
pub enum Transport {
    Tcp,
    WebSocket,
}

#[derive(Clone)]
pub struct Limits {
    pub max_bytes: i64,
    pub max_messages: i64,
    pub policy: String,
    pub reject_bytes: i64,
    pub credit: i64,
    pub credit_low: i64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_bytes: if bug("default-10mb") { 10_000_000 } else { DEFAULT_MAX_SIZE },
            max_messages: NO_LIMIT,
            policy: "BLOCK".to_string(),
            reject_bytes: NO_LIMIT,
            credit: DEFAULT_CREDIT,
            credit_low: DEFAULT_CREDIT_LOW,
        }
    }
}

#[derive(Clone)]
pub struct Message {
    pub id: String,
    pub size: i64,
    order: u64,
    /// How often it went back from a consumer.
    returns: u32,
}

struct Address {
    limits: Limits,
    bytes: i64,
    messages: i64,
    waiting: VecDeque<Message>,
    ordered_to_stop: bool,
    /// How many orders to stop were given and not lifted; for a planted bug only.
    orders: i64,
    topic: bool,
    /// Consumers, the one that was sent a message the longest ago first.
    turn: VecDeque<String>,
}

impl Address {
    fn reached(&self) -> bool {
        let limits = &self.limits;
        let bytes = if bug("full-one-byte-late") { self.bytes - 1 } else { self.bytes };
        if bug("messages-level-alone") && limits.max_bytes != NO_LIMIT {
            return bytes >= limits.max_bytes;
        }
        let waiting = self.waiting.len() as i64;
        let messages = if bug("message-limit-counts-waiting") { waiting } else { self.messages };
        let overlooked = bug("topic-ignores-message-limit") && self.topic;
        (limits.max_bytes != NO_LIMIT && bytes >= limits.max_bytes)
            || (limits.max_messages != NO_LIMIT && messages >= limits.max_messages && !overlooked)
    }

    fn blocks(&self) -> bool {
        self.limits.policy == "BLOCK"
            || (bug("fail-policy-stops") && self.limits.policy == "FAIL")
    }

    /// Whether no credit may be issued for this address.
    fn closed(&self) -> bool {
        self.ordered_to_stop || (self.blocks() && self.reached())
    }

    /// Whether an arriving message is rejected; both figures are for planted bugs only.
    fn rejects(&self, arriving: i64, handed_out: i64) -> bool {
        let mut held = self.bytes;
        if bug("reject-counts-arriving") {
            held += arriving - 1;
        }
        if bug("reject-ignores-handed-out") {
            held -= handed_out;
        }
        if bug("zero-threshold-is-none") && self.limits.reject_bytes == 0 {
            return false;
        }
        if bug("reject-needs-limit") && self.limits.max_bytes == NO_LIMIT {
            return false;
        }
        self.blocks() && self.limits.reject_bytes >= 0 && held >= self.limits.reject_bytes
    }

    fn charge(&mut self, size: i64) {
        let times = if bug("topic-charged-twice") && self.topic { 2 } else { 1 };
        self.bytes = Self::kept(self.bytes + size * times);
        self.messages += 1;
    }

    fn free(&mut self, size: i64) {
        let mut size = size;
        if bug("large-message-freed-short") && self.limits.max_bytes != NO_LIMIT {
            size = size.min(self.limits.max_bytes);
        }
        self.bytes = Self::kept(self.bytes - size);
        self.messages -= 1;
    }

    fn kept(bytes: i64) -> i64 {
        if bug("bytes-32-bit") { i64::from(bytes as i32) } else { bytes }
    }

    /// Puts a message back where it was before it was handed out.
    fn put_back(&mut self, mut message: Message) {
        message.returns += 1;
        if bug("third-return-dropped") && message.returns >= 3 {
            return self.free(message.size);
        }
        let at = self.waiting.partition_point(|other| other.order < message.order);
        self.waiting.insert(at, message);
    }
}

/// Times at which messages passed, for a limit of messages a second.
#[derive(Default)]
struct Rate {
    per_second: i64,
    passed: VecDeque<i64>,
    /// When the last message passed, and how many more may pass; for a planted bug only.
    last: Option<i64>,
    saved: i64,
}

impl Rate {
    fn new(per_second: i64) -> Self {
        Rate { per_second, ..Rate::default() }
    }

    fn limits(&self) -> bool {
        self.per_second > 0
    }

    fn may_pass(&mut self, now: i64) -> bool {
        while self.passed.front().is_some_and(|at| now >= Self::over(*at)) {
            self.passed.pop_front();
        }
        !self.limits() || (self.passed.len() as i64) < self.per_second + self.spare(now)
    }

    /// The planted bug idle-saves-rate: how many more messages may pass after ten idle seconds.
    fn spare(&self, now: i64) -> i64 {
        if !bug("idle-saves-rate") {
            return 0;
        }
        let idle = self.last.is_some_and(|last| now - last >= 10 * SECOND_MS);
        if idle { self.per_second } else { self.saved }
    }

    /// When a message that passed at this time counts no more.
    fn over(at: i64) -> i64 {
        if bug("rate-second-too-long") {
            at + SECOND_MS + 1
        } else if bug("rate-clock-second") {
            (at / SECOND_MS + 1) * SECOND_MS
        } else {
            at + SECOND_MS
        }
    }

    fn pass(&mut self, now: i64) {
        self.saved = self.spare(now);
        if self.passed.len() as i64 >= self.per_second {
            self.saved = (self.saved - 1).max(0);
        }
        self.last = Some(now);
        if self.limits() {
            self.passed.push_back(now);
        }
        if bug("rate-beyond-sixteen") && self.passed.len() > 16 {
            self.passed.pop_front();
        }
    }

    /// When the next message may pass at the earliest, if that is a question of time.
    fn due(&mut self, now: i64) -> Option<i64> {
        if self.may_pass(now) {
            return None;
        }
        self.passed.front().map(|at| Self::over(*at))
    }
}

/// The credit of one producer at one address, in messages.
#[derive(Default, Clone)]
struct Credit {
    issued: i64,
    left: i64,
    refreshes: i64,
    releases: i64,
    empty_since: i64,
    before_order: bool,
    forgotten: bool,
}

impl Credit {
    fn issue(&mut self, credits: i64) {
        self.issued += credits;
        self.left += credits;
    }
}

struct Pending {
    destination: String,
    message: Message,
}

pub struct ProducerSettings {
    pub transport: Transport,
    pub transacted: bool,
    pub rate: i64,
}

struct Producer {
    name: String,
    connection: String,
    settings: ProducerSettings,
    /// One link for each address; an anonymous producer opens them as it sends.
    links: BTreeMap<String, Credit>,
    last_used: Option<String>,
    rate: Rate,
    /// Sends that still wait in the client.
    waiting: VecDeque<Pending>,
    transaction: Vec<Pending>,
    transaction_failed: bool,
    commit_waits: bool,
    settled: Vec<(String, Outcome, String)>,
}

struct Consumer {
    name: String,
    connection: String,
    destination: String,
    window: i64,
    rate: Rate,
    buffer: VecDeque<Message>,
    handed_out: Vec<Message>,
    acknowledged: Vec<Message>,
}

impl Consumer {
    fn buffered_bytes(&self) -> i64 {
        self.buffer.iter().map(|m| m.size).sum()
    }

    fn has_room(&self, size: i64, buffered: i64) -> bool {
        let most = self.rate.per_second;
        if bug("rate-limits-buffer") && self.rate.limits() && self.buffer.len() as i64 >= most {
            return false;
        }
        if bug("window-overshoots") && self.window > 0 {
            return buffered < self.window;
        }
        if bug("oversized-sent-ahead") && self.window > 0 && buffered == 0 {
            return true;
        }
        self.window == NO_LIMIT || (self.window > 0 && buffered + size <= self.window)
    }
}

#[derive(Default)]
pub struct Broker {
    now: i64,
    order: u64,
    addresses: BTreeMap<String, Address>,
    producers: Vec<Producer>,
    consumers: Vec<Consumer>,
    /// Whether producers are released for a change of limits.
    changing: bool,
    /// Connections of producers that broke.
    broken: Vec<String>,
}

impl Broker {
    // ---- addresses ----

    pub fn declare(&mut self, destination: &str, limits: Limits, topic: bool) {
        let address = Address {
            limits,
            bytes: 0,
            messages: 0,
            waiting: VecDeque::new(),
            ordered_to_stop: false,
            orders: 0,
            topic,
            turn: VecDeque::new(),
        };
        self.addresses.insert(destination.to_string(), address);
    }

    fn address(&mut self, destination: &str) -> Answer<&mut Address> {
        self.addresses
            .get_mut(destination)
            .ok_or_else(|| Failure("refused", format!("there is no address {destination}")))
    }

    pub fn limits_in_force(&mut self, destination: &str) -> Answer<Limits> {
        Ok(self.address(destination)?.limits.clone())
    }

    pub fn change_limits(&mut self, destination: &str, limits: Limits) -> Answer<()> {
        let address = self.address(destination)?;
        if bug("change-recounts-waiting") {
            address.bytes = address.waiting.iter().map(|m| m.size).sum();
            address.messages = address.waiting.len() as i64;
        }
        let old = std::mem::replace(&mut address.limits, limits);
        let new = &mut address.limits;
        if bug("lower-ignored") && new.max_bytes != NO_LIMIT {
            new.max_bytes = new.max_bytes.max(old.max_bytes);
        }
        if bug("reject-change-ignored") {
            new.reject_bytes = old.reject_bytes;
        }
        if bug("policy-return-ignored") && new.policy == "BLOCK" {
            new.policy = old.policy.clone();
        }
        if bug("removed-message-limit-stays") && new.max_messages == NO_LIMIT {
            new.max_messages = old.max_messages;
        }
        let raised = new.max_bytes > old.max_bytes;
        let policy_changed = new.policy != old.policy && new.policy != "BLOCK";
        if bug("change-lifts-order") {
            address.ordered_to_stop = false;
        }
        if (bug("raise-no-release") && raised) || (bug("policy-change-no-release") && policy_changed) {
            return Ok(());
        }
        self.changing = true;
        self.release(destination);
        self.changing = false;
        Ok(())
    }

    pub fn depth(&mut self, destination: &str) -> Answer<(i64, i64)> {
        let address = self.address(destination)?;
        Ok((address.bytes, address.messages))
    }

    pub fn purge(&mut self, destination: &str) -> Answer<()> {
        let address = self.address(destination)?;
        let removed: Vec<Message> = address.waiting.drain(..).collect();
        for message in removed {
            address.free(message.size);
            if bug("purge-keeps-count") {
                address.messages += 1;
            }
        }
        if bug("purge-frees-handed-out") {
            (address.bytes, address.messages) = (0, 0);
        }
        let topic = address.topic;
        if bug("purge-no-release") || (bug("topic-purge-no-release") && topic) {
            return Ok(());
        }
        self.release(destination);
        Ok(())
    }

    pub fn set_order(&mut self, destination: &str, stop: bool) -> Answer<()> {
        let address = self.address(destination)?;
        address.orders = (address.orders + if stop { 1 } else { -1 }).max(0);
        address.ordered_to_stop = stop || (bug("order-counted") && address.orders > 0);
        for credit in self.producers.iter_mut().filter_map(|p| p.links.get_mut(destination)) {
            credit.before_order = stop;
        }
        if bug("unblock-opens-full") && !stop {
            for at in 0..self.producers.len() {
                self.fill_up(at, destination);
            }
        }
        self.release(destination);
        if bug("order-stops-sending-ahead") && !stop {
            self.dispatch(destination);
        }
        Ok(())
    }

    // ---- producers ----

    pub fn open_producer(
        &mut self,
        name: &str,
        connection: &str,
        destination: Option<&str>,
        settings: ProducerSettings,
    ) -> Answer<()> {
        if let Some(destination) = destination {
            self.address(destination)?;
        }
        let rate = Rate::new(settings.rate);
        self.producers.push(Producer {
            name: name.to_string(),
            connection: connection.to_string(),
            settings,
            links: BTreeMap::new(),
            last_used: None,
            rate,
            waiting: VecDeque::new(),
            transaction: Vec::new(),
            transaction_failed: false,
            commit_waits: false,
            settled: Vec::new(),
        });
        if let Some(destination) = destination {
            let at = self.producers.len() - 1;
            self.open_link(at, destination);
            if bug("reconnect-gets-window") && self.broken.iter().any(|one| one == connection) {
                self.fill_up(at, destination);
            }
        }
        Ok(())
    }

    fn producer(&self, name: &str) -> Answer<usize> {
        self.producers
            .iter()
            .position(|p| p.name == name)
            .ok_or_else(|| Failure("refused", format!("there is no producer {name}")))
    }

    fn open_link(&mut self, at: usize, destination: &str) {
        let before = self.producers[at].last_used.replace(destination.to_string());
        if self.producers[at].links.contains_key(destination) {
            if bug("anonymous-return-tops-up") && before.as_deref() != Some(destination) {
                self.top_up(at, destination);
            }
            return;
        }
        let credit = Credit { empty_since: self.now, ..Credit::default() };
        self.producers[at].links.insert(destination.to_string(), credit);
        let web_socket = self.producers[at].settings.transport == Transport::WebSocket;
        if bug("second-link-unchecked") && self.producers[at].links.len() > 1 {
            return self.fill_up(at, destination);
        }
        if bug("websocket-latecomer") && web_socket {
            return self.fill_up(at, destination);
        }
        self.refill(at, destination);
        let Some(credit) = self.producers[at].links.get_mut(destination) else {
            return;
        };
        let full = self.addresses.get(destination).is_some_and(|a| a.blocks() && a.reached());
        if bug("latecomer-one-credit") && full && credit.left == 0 {
            credit.issue(1);
        }
    }

    /// Issues credit up to the window if the producer is at its low mark and the address is not closed.
    fn refill(&mut self, at: usize, destination: &str) {
        let (Some(credit), Some(address)) =
            (self.producers[at].links.get(destination), self.addresses.get(destination))
        else {
            return;
        };
        let full = address.blocks() && address.reached();
        let overlooked = bug("latecomer-ignores-order") && !credit.before_order && !full;
        if address.closed() && !overlooked {
            return;
        }
        if bug("other-address-counts") && self.neighbour_is_stopped(at, destination) {
            return;
        }
        self.fill_up(at, destination);
    }

    /// Issues credit up to the window if the producer is at its low mark.
    fn fill_up(&mut self, at: usize, destination: &str) {
        let web_socket = self.producers[at].settings.transport == Transport::WebSocket;
        let (Some(credit), Some(address)) =
            (self.producers[at].links.get_mut(destination), self.addresses.get(destination))
        else {
            return;
        };
        let mut limits = address.limits.clone();
        if bug("websocket-default-credit") && web_socket {
            (limits.credit, limits.credit_low) = (DEFAULT_CREDIT, DEFAULT_CREDIT_LOW);
        }
        let low = if bug("low-mark-below") { limits.credit_low - 1 } else { limits.credit_low };
        if credit.left > low || credit.left >= limits.credit {
            return;
        }
        credit.refreshes += 1;
        if bug("refill-by-window") {
            credit.issue(limits.credit);
        } else if bug("refill-short-from-third") && credit.refreshes > 3 {
            credit.issue((limits.credit - 1 - credit.left).max(0));
        } else {
            credit.issue(limits.credit - credit.left);
        }
    }

    /// The planted bug anonymous-return-tops-up.
    fn top_up(&mut self, at: usize, destination: &str) {
        if let Some(address) = self.addresses.get(destination).filter(|a| !a.closed()) {
            if let Some(credit) = self.producers[at].links.get_mut(destination) {
                credit.issue((address.limits.credit - credit.left).max(0));
            }
        }
    }

    /// Whether a producer of the same connection sends to another address that is closed.
    fn neighbour_is_stopped(&self, at: usize, destination: &str) -> bool {
        let connection = &self.producers[at].connection;
        self.producers
            .iter()
            .filter(|p| p.connection == *connection)
            .flat_map(|p| p.links.keys())
            .any(|other| other != destination && self.addresses[other].closed())
    }

    /// Whether the message may go on now: the rate allows it, and there is credit for it.
    fn may_send(&mut self, at: usize, destination: &str) -> bool {
        let now = self.now;
        let needed = if bug("credit-below-zero") { 0 } else { 1 };
        self.producers[at].rate.may_pass(now)
            && self.producers[at].links[destination].left >= needed
    }

    pub fn send(&mut self, name: &str, to: Option<&str>, id: &str, size: i64) -> Answer<Outcome> {
        let at = self.producer(name)?;
        let destination = to
            .map(str::to_string)
            .or_else(|| self.producers[at].last_used.clone())
            .ok_or_else(|| Failure("refused", format!("{name} has no destination")))?;
        self.address(&destination)?;
        self.open_link(at, &destination);
        self.order += 1;
        let message = Message { id: id.to_string(), size, order: self.order, returns: 0 };
        let pending = Pending { destination: destination.clone(), message };
        let producer = &self.producers[at];
        let needed = if bug("credit-below-zero") { 0 } else { 1 };
        if producer.links[&destination].left < needed {
            return Ok(Outcome::Blocked);
        }
        if !producer.waiting.is_empty() || !self.may_send(at, &destination) {
            self.producers[at].waiting.push_back(pending);
            return Ok(Outcome::Unsettled);
        }
        Ok(self.hand_over(at, pending))
    }

    /// The message reaches the broker: it costs its credit, and is stored, kept for the commit, or rejected.
    fn hand_over(&mut self, at: usize, pending: Pending) -> Outcome {
        let now = self.now;
        let destination = pending.destination.clone();
        if bug("rate-of-connection") {
            let connection = self.producers[at].connection.clone();
            let beside = self.producers.iter_mut().filter(|p| p.connection == connection);
            beside.for_each(|p| p.rate.pass(now));
        } else if !(bug("transacted-outside-rate") && self.producers[at].settings.transacted) {
            self.producers[at].rate.pass(now);
        }
        let producer = &mut self.producers[at];
        let size = pending.message.size;
        let Some(address) = self.addresses.get_mut(&destination) else {
            return Outcome::Rejected;
        };
        let held_by = self.consumers.iter().filter(|c| c.destination == destination);
        let handed_out = held_by.flat_map(|c| &c.handed_out).map(|m| m.size).sum();
        let rejected = address.rejects(size, handed_out);
        if bug("rejected-outside-rate") && rejected {
            producer.rate.passed.pop_back();
        }
        let mut last_at_full = false;
        if let Some(credit) = producer.links.get_mut(&destination) {
            let larger = address.limits.max_bytes != NO_LIMIT && size > address.limits.max_bytes;
            if bug("large-message-costs-two") && larger {
                credit.left = (credit.left - 2).max(0);
            } else if !(bug("reject-refunds-credit") && rejected) {
                credit.left -= 1;
            }
            if credit.left <= 0 {
                credit.empty_since = now;
                last_at_full = address.closed();
            }
        }
        if bug("rejected-charged") && rejected {
            address.bytes += size;
        }
        let outcome = if rejected {
            self.producers[at].transaction_failed = self.producers[at].settings.transacted;
            Outcome::Rejected
        } else if bug("crossing-message-lost") && last_at_full {
            Outcome::Accepted
        } else if self.producers[at].settings.transacted {
            self.producers[at].transaction.push(pending);
            Outcome::Unsettled
        } else {
            self.store(pending, false)
        };
        self.refill(at, &destination);
        outcome
    }

    fn store(&mut self, pending: Pending, committed: bool) -> Outcome {
        let Some(address) = self.addresses.get_mut(&pending.destination) else {
            return Outcome::Rejected;
        };
        if address.reached() && address.limits.policy == "FAIL" {
            return Outcome::Rejected;
        }
        if address.reached() && address.limits.policy == "DROP" {
            return Outcome::Accepted;
        }
        if bug("threshold-again-at-commit") && committed && address.rejects(pending.message.size, 0) {
            return Outcome::Accepted;
        }
        address.charge(pending.message.size);
        address.waiting.push_back(pending.message);
        if !(bug("commit-not-sent-ahead") && committed) {
            self.dispatch(&pending.destination);
        }
        Outcome::Accepted
    }

    pub fn commit(&mut self, name: &str) -> Answer<Outcome> {
        let at = self.producer(name)?;
        if !self.producers[at].waiting.is_empty() {
            self.producers[at].commit_waits = true;
            return Ok(Outcome::Unsettled);
        }
        Ok(self.end_transaction(at))
    }

    /// Stores what the transaction holds, or nothing of it if one of its messages is refused.
    fn end_transaction(&mut self, at: usize) -> Outcome {
        let pending = std::mem::take(&mut self.producers[at].transaction);
        let failing = |p: &Pending| {
            self.addresses
                .get(&p.destination)
                .is_none_or(|a| a.reached() && a.limits.policy == "FAIL")
        };
        let refused = self.producers[at].transaction_failed || pending.iter().any(failing);
        let outcome = if refused { Outcome::Rejected } else { Outcome::Accepted };
        let reason = if refused { "TransactionRolledBack" } else { "" };
        let last = pending.last().map(|p| p.destination.clone());
        for message in pending {
            let id = message.message.id.clone();
            self.producers[at].settled.push((id, outcome, reason.to_string()));
            if !refused || bug("failed-commit-stores") {
                self.store(message, true);
            }
        }
        self.producers[at].transaction_failed = false;
        self.producers[at].commit_waits = false;
        if let (true, false, Some(destination)) = (bug("commit-opens-full"), refused, last) {
            self.fill_up(at, &destination);
        }
        outcome
    }

    pub fn rollback(&mut self, name: &str) -> Answer<()> {
        let at = self.producer(name)?;
        let producer = &mut self.producers[at];
        producer.transaction_failed &= bug("rollback-keeps-refusal");
        producer.commit_waits = false;
        if bug("rollback-refunds-credit") {
            for pending in &producer.transaction {
                if let Some(credit) = producer.links.get_mut(&pending.destination) {
                    credit.left += 1;
                }
            }
        }
        let undone: Vec<Pending> =
            producer.transaction.drain(..).chain(producer.waiting.drain(..)).collect();
        for pending in &undone {
            let reason = "TransactionRolledBack".to_string();
            producer.settled.push((pending.message.id.clone(), Outcome::Rejected, reason));
        }
        if bug("rollback-keeps-charge") {
            for pending in undone.iter().skip(1) {
                self.address(&pending.destination)?.bytes += pending.message.size;
            }
        }
        if bug("rollback-stores-last") {
            undone.into_iter().next_back().map(|pending| self.store(pending, false));
        }
        Ok(())
    }

    pub fn settlements(&mut self, name: &str) -> Answer<Vec<(String, Outcome, String)>> {
        let at = self.producer(name)?;
        Ok(std::mem::take(&mut self.producers[at].settled))
    }

    /// Whether the producer is stopped, the credit it was issued, and what is left of it.
    pub fn standing(&mut self, name: &str) -> Answer<(bool, Option<i64>, Option<i64>)> {
        let at = self.producer(name)?;
        let producer = &self.producers[at];
        let Some(destination) = &producer.last_used else {
            return Ok((false, None, None));
        };
        let credit = &producer.links[destination];
        let stopped = credit.left <= 0 || !producer.waiting.is_empty();
        Ok((stopped, Some(credit.issued), Some(credit.left)))
    }

    pub fn close_producer(&mut self, name: &str) -> Answer<()> {
        let at = self.producer(name)?;
        let closed = self.producers.remove(at);
        for (destination, credit) in &closed.links {
            if bug("close-opens-gate") && credit.left <= 0 {
                for other in 0..self.producers.len() {
                    self.fill_up(other, destination);
                }
            }
        }
        Ok(())
    }

    // ---- release ----

    /// Lets everybody go on who waits for this address, as far as it has room.
    fn release(&mut self, destination: &str) {
        let Some(address) = self.addresses.get(destination) else {
            return;
        };
        let level = address.limits.max_bytes;
        let nearly_full = address.blocks() && level != NO_LIMIT && address.bytes * 10 >= level * 9;
        if bug("release-with-slack") && nearly_full {
            return;
        }
        let mut place = 0;
        for at in 0..self.producers.len() {
            let Some(credit) = self.producers[at].links.get(destination) else {
                continue;
            };
            let issued = credit.issued;
            place += 1;
            if self.passes_over(at, destination, place) {
                continue;
            }
            self.refill(at, destination);
            if let Some(credit) = self.producers[at].links.get_mut(destination) {
                if credit.issued > issued {
                    credit.releases += 1;
                    if bug("release-first-only") {
                        break;
                    }
                }
            }
        }
        for at in 0..self.producers.len() {
            self.go_on(at);
        }
    }

    /// Whether a planted bug leaves the producer out as an address is released.
    fn passes_over(&self, at: usize, destination: &str, place: usize) -> bool {
        let producer = &self.producers[at];
        let credit = &producer.links[destination];
        (bug("release-skips-third") && place > 2)
            || (bug("release-only-empty") && credit.left > 0)
            || (bug("third-round-stays") && credit.releases >= 2)
            || (bug("transacted-not-released") && producer.settings.transacted)
            || (bug("websocket-raise-no-release")
                && self.changing
                && producer.settings.transport == Transport::WebSocket)
            || (bug("kill-strands-others") && credit.forgotten)
            || (bug("anonymous-other-destination")
                && producer.last_used.as_deref() != Some(destination))
    }

    /// Hands over the sends that waited in a producer's client, in order, as far as they may go on.
    fn go_on(&mut self, at: usize) {
        while let Some(first) = self.producers[at].waiting.front() {
            let destination = first.destination.clone();
            let now = self.now;
            let due = bug("held-send-ignores-credit") && self.producers[at].rate.may_pass(now);
            if !due && !self.may_send(at, &destination) {
                return;
            }
            let Some(pending) = self.producers[at].waiting.pop_front() else {
                return;
            };
            let id = pending.message.id.clone();
            let mut outcome = self.hand_over(at, pending);
            if bug("late-answer-wrong") && outcome == Outcome::Rejected {
                outcome = Outcome::Accepted;
            }
            if outcome != Outcome::Unsettled {
                self.producers[at].settled.push((id, outcome, String::new()));
            }
            if bug("held-sends-one-per-tick") {
                break;
            }
        }
        if !self.producers[at].waiting.is_empty() {
            return;
        }
        if self.producers[at].commit_waits {
            self.end_transaction(at);
        }
    }

    /// Moves the clock, stopping wherever a send that was held back by its rate falls due.
    pub fn advance(&mut self, ms: i64) {
        let end = self.now + ms;
        if bug("held-sends-one-per-tick") {
            self.now = end;
            for at in 0..self.producers.len() {
                self.go_on(at);
            }
            return;
        }
        loop {
            let now = self.now;
            let due = self
                .producers
                .iter_mut()
                .filter(|p| !p.waiting.is_empty())
                .filter_map(|p| p.rate.due(now))
                .min();
            match due {
                Some(moment) if moment <= end => self.now = moment,
                _ => break,
            }
            for at in 0..self.producers.len() {
                self.go_on(at);
            }
        }
        self.now = end;
        if bug("stopped-trickle-100ms") {
            for (destination, credit) in self.producers.iter_mut().flat_map(|p| &mut p.links) {
                let closed = self.addresses.get(destination).is_some_and(Address::closed);
                if closed && credit.left <= 0 && end - credit.empty_since > 100 {
                    credit.issue(1);
                    credit.empty_since = end;
                }
            }
        }
    }

    // ---- consumers ----

    /// Attaches a consumer; with a window of 0 it is sent nothing that it does not ask for.
    pub fn open_consumer(
        &mut self,
        name: &str,
        connection: &str,
        destination: &str,
        window: Option<i64>,
        rate: i64,
    ) -> Answer<()> {
        self.address(destination)?.turn.push_back(name.to_string());
        self.consumers.push(Consumer {
            name: name.to_string(),
            connection: connection.to_string(),
            destination: destination.to_string(),
            window: window.unwrap_or(DEFAULT_CONSUMER_WINDOW),
            rate: Rate::new(rate),
            buffer: VecDeque::new(),
            handed_out: Vec::new(),
            acknowledged: Vec::new(),
        });
        self.dispatch(destination);
        Ok(())
    }

    fn consumer(&self, name: &str) -> Answer<usize> {
        self.consumers
            .iter()
            .position(|c| c.name == name)
            .ok_or_else(|| Failure("refused", format!("there is no consumer {name}")))
    }

    /// Sends waiting messages ahead, in turn, to consumers whose window has room.
    fn dispatch(&mut self, destination: &str) {
        let Some(address) = self.addresses.get_mut(destination) else {
            return;
        };
        if bug("order-stops-sending-ahead") && address.ordered_to_stop {
            return;
        }
        while let Some(first) = address.waiting.front() {
            let size = first.size;
            let back = bug("returned-past-window") && first.returns > 0;
            let consumers = &self.consumers;
            let together: i64 = consumers
                .iter()
                .filter(|c| c.destination == destination)
                .map(Consumer::buffered_bytes)
                .sum();
            let shared = bug("windows-shared");
            let room = |c: &Consumer| {
                let buffered = if shared { together } else { c.buffered_bytes() };
                c.has_room(size, buffered) || (back && c.window > 0)
            };
            let with_room = |name: &String| consumers.iter().any(|c| c.name == *name && room(c));
            let Some(place) = address.turn.iter().position(with_room) else {
                return;
            };
            let windowed = |name: &String| consumers.iter().any(|c| c.name == *name && c.window != 0);
            if bug("no-passing-over") && address.turn.iter().position(windowed) < Some(place) {
                return;
            }
            let Some(name) = address.turn.remove(place) else {
                return;
            };
            let message = address.waiting.pop_front();
            if let Some(consumer) = self.consumers.iter_mut().find(|c| c.name == name) {
                consumer.buffer.extend(message);
            }
            if bug("first-consumer-favoured") {
                address.turn.insert(place, name);
            } else {
                address.turn.push_back(name);
            }
        }
    }

    pub fn take(&mut self, name: &str) -> Answer<Option<(String, String)>> {
        let at = self.consumer(name)?;
        let now = self.now;
        if !self.consumers[at].rate.may_pass(now) {
            return Ok(None);
        }
        let destination = self.consumers[at].destination.clone();
        let mut message = self.consumers[at].buffer.pop_front();
        if message.is_none() {
            let address = self.address(&destination)?;
            message = address.waiting.pop_front();
            if message.is_some() {
                address.turn.retain(|other| other != name);
                address.turn.push_back(name.to_string());
            }
        }
        let Some(message) = message else {
            if bug("empty-take-resets-rate") {
                self.consumers[at].rate.passed.clear();
            }
            return Ok(None);
        };
        let id = message.id.clone();
        self.consumers[at].rate.pass(now);
        self.consumers[at].handed_out.push(message);
        self.dispatch(&destination);
        Ok(Some((id, destination)))
    }

    pub fn buffered(&self, name: &str) -> Answer<i64> {
        Ok(self.consumers[self.consumer(name)?].buffer.len() as i64)
    }

    pub fn acknowledge(&mut self, name: &str, id: &str) -> Answer<()> {
        let at = self.consumer(name)?;
        let again = self.consumers[at].acknowledged.iter().find(|m| m.id == id).cloned();
        if let (true, Some(message)) = (bug("acknowledge-twice"), again) {
            let destination = self.consumers[at].destination.clone();
            self.address(&destination)?.free(message.size);
            self.release(&destination);
            return Ok(());
        }
        let place = self.consumers[at]
            .handed_out
            .iter()
            .position(|m| m.id == id)
            .ok_or_else(|| Failure("refused", format!("{id} was not handed out to {name}")))?;
        let message = self.consumers[at].handed_out.remove(place);
        let destination = self.consumers[at].destination.clone();
        if bug("acknowledgement-cumulative") {
            let earlier: Vec<Message> = self.consumers[at].handed_out.drain(..place).collect();
            for one in &earlier {
                self.address(&destination)?.free(one.size);
            }
            self.consumers[at].acknowledged.extend(earlier);
        }
        if bug("rate-forgets-acknowledged") {
            self.consumers[at].rate.passed.pop_front();
        }
        let address = self.address(&destination)?;
        address.free(message.size);
        if bug("consumption-lifts-order") && !address.reached() {
            address.ordered_to_stop = false;
        }
        let (topic, full) = (address.topic, address.blocks() && address.reached());
        self.consumers[at].acknowledged.push(message);
        if bug("full-trickle") && full {
            for credit in self.producers.iter_mut().filter_map(|p| p.links.get_mut(&destination)) {
                credit.issue(i64::from(credit.left <= 0));
            }
        }
        if bug("topic-no-release") && topic {
            return Ok(());
        }
        self.release(&destination);
        Ok(())
    }

    pub fn close_consumer(&mut self, name: &str) -> Answer<()> {
        let at = self.consumer(name)?;
        let consumer = &mut self.consumers[at];
        if let Some(address) = self.addresses.get_mut(&consumer.destination) {
            if bug("close-frees-handed-out") {
                address.bytes -= consumer.handed_out.iter().map(|m| m.size).sum::<i64>();
            }
            if bug("close-loses-buffer") {
                consumer.buffer.drain(..).for_each(|message| address.free(message.size));
            }
        }
        let destination = self.detach(at);
        self.dispatch(&destination);
        Ok(())
    }

    /// Removes a consumer; what it was sent and did not acknowledge goes back.
    fn detach(&mut self, at: usize) -> String {
        let consumer = self.consumers.remove(at);
        if let Some(address) = self.addresses.get_mut(&consumer.destination) {
            address.turn.retain(|other| *other != consumer.name);
            for message in consumer.buffer.into_iter().chain(consumer.handed_out) {
                address.put_back(message);
            }
        }
        consumer.destination
    }

    // ---- connections ----

    /// A connection breaks: its producers and consumers are gone, and open transactions with them.
    pub fn kill(&mut self, connection: &str) {
        for at in 0..self.producers.len() {
            if bug("kill-strands-others") && self.producers[at].connection == connection {
                self.forget_who_waits_beside(at);
            }
        }
        if self.producers.iter().any(|p| p.connection == connection) {
            self.broken.push(connection.to_string());
        }
        self.producers.retain(|p| p.connection != connection);
        let mut left = Vec::new();
        while let Some(at) = self.consumers.iter().position(|c| c.connection == connection) {
            left.push(self.detach(at));
            if bug("kill-one-consumer") {
                break;
            }
        }
        if bug("returned-not-sent-ahead") {
            return;
        }
        for destination in left {
            self.dispatch(&destination);
        }
    }

    /// The planted bug kill-strands-others.
    fn forget_who_waits_beside(&mut self, at: usize) {
        for (destination, credit) in self.producers[at].links.clone() {
            if credit.left <= 0 {
                let others = self.producers.iter_mut().filter_map(|p| p.links.get_mut(&destination));
                others.filter(|other| other.left <= 0).for_each(|other| other.forgotten = true);
            }
        }
    }

    pub fn end_scenario(&mut self) {
        self.producers.clear();
        self.consumers.clear();
        self.addresses.clear();
        self.broken.clear();
    }
}
