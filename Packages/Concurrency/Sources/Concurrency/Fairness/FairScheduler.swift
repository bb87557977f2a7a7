import Telemetry

/// Decides which job runs next, so that users share processor time fairly. A value: it decides and performs nothing.
///
/// Each payer has an account, and so has each queue whose jobs have no payers. An account is charged with the cost of its
/// jobs, and the charge halves with every ``Settings/halfLife``. Of the queues with jobs, the one with the least charged
/// account runs next; equals run in the order of submission. At most ``Settings/heavySlots`` slots are given to heavy jobs:
/// jobs of accounts that are charged with more than ``Settings/heavyCharge`` or whose last jobs cost more than that, and
/// jobs of more than ``Settings/largeBytes``. The remaining slots stay free for light jobs, which therefore never wait for
/// the end of heavy jobs of other queues, once those are known as heavy.
///
/// - Complexity: O(log n) in the queues with jobs for each operation, amortised.
struct FairScheduler<Work: Sendable> {
  struct Settings: Hashable, Sendable {
    /// The number of jobs that run at a time, one for each thread.
    var slots: Int
    /// The number of slots that heavy jobs may take.
    var heavySlots: Int
    /// An account charged with more than this is heavy, and so is one whose next job is expected to cost more.
    var heavyCharge: Duration = .milliseconds(50)
    /// A job of more bytes than this is heavy.
    var largeBytes = 1 << 20
    /// The time in which a charge halves.
    var halfLife: Duration = .seconds(10)
    /// The charge of every job when it begins: of payers without history, those without running jobs come first.
    var startCharge: Duration = .microseconds(20)

    /// `heavy` slots for any job, at least one, and one more for light jobs.
    init(heavy: Int) {
      heavySlots = max(1, heavy)
      slots = heavySlots + 1
    }
  }

  /// A job that has begun.
  struct RunningJob: Sendable {
    let attributes: JobAttributes
    var work: Work
    fileprivate let isHeavy: Bool
  }

  let settings: Settings
  private var accounts: UsageAccounts
  private var queues: [SerialQueue: PendingJobs<Work>] = [:]
  /// The queues that are ready to run, by the charge and weight known when they became ready.
  private var light = QueueHeap()
  private var heavy = QueueHeap()
  private var running = 0
  private var runningHeavy = 0

  init(_ settings: Settings) {
    self.settings = settings
    accounts = UsageAccounts(halfLife: settings.halfLife)
  }

  /// Whether no job is pending and none runs.
  var isIdle: Bool { queues.isEmpty }
  /// Whether ``next(at:)`` may begin a job. May be true when it does not, never false when it does.
  var canStartJob: Bool {
    running < settings.slots
      && (light.first != nil || heavy.first != nil && runningHeavy < settings.heavySlots)
  }
  /// The number of accounts with a charge.
  var accountCount: Int { accounts.count }

  /// Adds a job at the end of its queue.
  mutating func submit(_ job: JobAttributes, _ work: Work, at now: MonotonicInstant) {
    var pending = queues.removeValue(forKey: job.queue) ?? PendingJobs()
    let becomesReady = !pending.isRunning && pending.first == nil
    pending.append(job, work)
    queues[job.queue] = pending
    if becomesReady { makeReady(job.queue, at: now) }
  }

  /// Begins the next job; nil when none may run now.
  mutating func next(at now: MonotonicInstant) -> RunningJob? {
    guard running < settings.slots else { return nil }
    settle(at: now)
    let mayBeHeavy = runningHeavy < settings.heavySlots
    switch (light.leastCharge, mayBeHeavy ? heavy.leastCharge : nil) {
    case (nil, nil): return nil
    case (let lightest?, let heaviest?) where heaviest < lightest:
      return begin(heavy.removeFirst(), isHeavy: true, at: now)
    case (_?, _): return begin(light.removeFirst(), isHeavy: false, at: now)
    case (nil, _?): return begin(heavy.removeFirst(), isHeavy: true, at: now)
    }
  }

  /// Ends a job, and charges its payers with equal parts of its cost.
  mutating func finished(_ job: RunningJob, cost: Duration, at now: MonotonicInstant) {
    running -= 1
    runningHeavy -= job.isHeavy ? 1 : 0
    if accounts.needsRebase(at: now) { rebase(at: now) }
    accounts.charge(job.attributes, cost, at: now)
    accounts.note(cost, of: job.attributes)
    let queue = job.attributes.queue
    queues[queue]?.isRunning = false
    if queues[queue]?.first == nil {
      queues[queue] = nil
    } else {
      makeReady(queue, at: now)
    }
  }

  /// Moves the first queue of each heap to its place by the present state of its account.
  private mutating func settle(at now: MonotonicInstant) {
    while let (queue, charge) = light.first, let job = queues[queue]?.first?.attributes {
      guard isHeavy(job, at: now) || accounts.scaledCharge(of: job) > charge else { break }
      _ = light.removeFirst()
      makeReady(queue, at: now)
    }
    while let (queue, charge) = heavy.first, let job = queues[queue]?.first?.attributes {
      guard !isHeavy(job, at: now) || accounts.scaledCharge(of: job) > charge else { break }
      _ = heavy.removeFirst()
      makeReady(queue, at: now)
    }
  }

  private func isHeavy(_ job: JobAttributes, at now: MonotonicInstant) -> Bool {
    job.bytes > settings.largeBytes || accounts.charge(of: job, at: now) > settings.heavyCharge
      || accounts.expectedCost(of: job) > settings.heavyCharge
  }

  private mutating func begin(
    _ taken: (queue: SerialQueue, charge: Double)?, isHeavy: Bool, at now: MonotonicInstant
  ) -> RunningJob? {
    guard let queue = taken?.queue, let first = queues[queue]?.first, var pending = queues.removeValue(forKey: queue)
    else { return nil }
    pending.isRunning = true
    pending.removeFirst()
    queues[queue] = pending
    accounts.charge(first.attributes, settings.startCharge, at: now)
    running += 1
    runningHeavy += isHeavy ? 1 : 0
    return RunningJob(attributes: first.attributes, work: first.work, isHeavy: isHeavy)
  }

  /// Scales all charges to `now`. The charges in the heaps were scaled to an earlier time, so every queue is inserted again.
  private mutating func rebase(at now: MonotonicInstant) {
    accounts.rebase(at: now)
    var ready: [SerialQueue] = []
    while let (queue, _) = light.removeFirst() { ready.append(queue) }
    while let (queue, _) = heavy.removeFirst() { ready.append(queue) }
    for queue in ready { makeReady(queue, at: now) }
  }

  private mutating func makeReady(_ queue: SerialQueue, at now: MonotonicInstant) {
    guard let job = queues[queue]?.first?.attributes else { return }
    let charge = accounts.scaledCharge(of: job)
    if isHeavy(job, at: now) { heavy.insert(queue, charge: charge) } else { light.insert(queue, charge: charge) }
  }
}
