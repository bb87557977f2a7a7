import Telemetry

/// Decides which piece of work runs next, so that processor time is shared fairly between users. A value; it performs nothing.
///
/// Each user has an account, and so has each lane for which no user pays. An account is charged for what its work consumed, and
/// the charge halves with every ``Settings/halfLife``. Of the lanes that wait, that of the least charged account runs next;
/// equals run in the order of their coming. No more than ``Settings/heavyTurns`` turns are given to heavy work at a time: to
/// accounts that are charged with more than ``Settings/heavyCharge`` or whose last pieces of work cost more than that, and to
/// orders of more than ``Settings/largeBytes``. The other turns stay free for whoever consumes little, which therefore never
/// waits for the end of heavy work in other lanes, once that is known as such.
///
/// Complexity: O(log n) in the waiting lanes for each operation, amortized.
struct WorkScheduler<Work: Sendable> {
  struct Settings: Hashable, Sendable {
    /// How many turns are given at a time, one for each thread.
    var turns: Int
    /// How many of them may be heavy.
    var heavyTurns: Int
    /// An account charged with more than this is heavy, and one whose next piece of work is expected to cost more.
    var heavyCharge: Duration = .milliseconds(50)
    /// An order of more bytes than this is heavy.
    var largeBytes = 1 << 20
    /// The time in which a charge halves.
    var halfLife: Duration = .seconds(10)
    /// What every piece of work is charged when it begins: of users of whom nothing is known, those come first who have none
    /// under way.
    var leastCost: Duration = .microseconds(20)

    /// `heavy` threads for any work, and one more for work that is not heavy.
    init(heavy: Int) {
      heavyTurns = max(1, heavy)
      turns = heavyTurns + 1
    }
  }

  /// A piece of work that was begun.
  struct Turn: Sendable {
    let order: WorkOrder
    var work: Work
    fileprivate let isHeavy: Bool
  }

  private struct Lane {
    private var waiting: [(order: WorkOrder, work: Work?)] = []
    /// How many of the first are done with.
    private var taken = 0
    var isRunning = false

    var first: (order: WorkOrder, work: Work)? {
      guard taken < waiting.count, let work = waiting[taken].work else { return nil }
      return (waiting[taken].order, work)
    }

    mutating func append(_ order: WorkOrder, _ work: Work) { waiting.append((order, work)) }

    /// Lets go of the first, with the memory that it holds.
    mutating func removeFirst() {
      waiting[taken].work = nil
      taken += 1
      guard taken == waiting.count || taken > 64 && taken > waiting.count / 2 else { return }
      waiting.removeFirst(taken)
      taken = 0
    }
  }

  let settings: Settings
  private var accounts: WorkAccounts
  private var lanes: [WorkLane: Lane] = [:]
  /// Lanes that wait, by what was known of them when they came to wait.
  private var light = LaneQueue()
  private var heavy = LaneQueue()
  private var running = 0
  private var runningHeavy = 0

  init(_ settings: Settings) {
    self.settings = settings
    accounts = WorkAccounts(halfLife: settings.halfLife)
  }

  /// Whether nothing waits and nothing runs.
  var isIdle: Bool { lanes.isEmpty }
  /// How many accounts are remembered.
  var accountCount: Int { accounts.count }

  /// Adds a piece of work behind all of its lane.
  mutating func submit(_ order: WorkOrder, _ work: Work, at now: MonotonicInstant) {
    var lane = lanes.removeValue(forKey: order.lane) ?? Lane()
    let isReady = !lane.isRunning && lane.first == nil
    lane.append(order, work)
    lanes[order.lane] = lane
    if isReady { push(order.lane, at: now) }
  }

  /// Begins the next piece of work; nil when nothing may run now.
  mutating func next(at now: MonotonicInstant) -> Turn? {
    guard running < settings.turns else { return nil }
    settle(at: now)
    let mayBeHeavy = runningHeavy < settings.heavyTurns
    switch (light.least, mayBeHeavy ? heavy.least : nil) {
    case (nil, nil): return nil
    case (let lightest?, let heaviest?) where heaviest < lightest:
      return begin(heavy.removeFirst(), isHeavy: true, at: now)
    case (_?, _): return begin(light.removeFirst(), isHeavy: false, at: now)
    case (nil, _?): return begin(heavy.removeFirst(), isHeavy: true, at: now)
    }
  }

  /// Brings the first lane of each queue to where it belongs by what is known of its account now.
  private mutating func settle(at now: MonotonicInstant) {
    while let (lane, charge) = light.first, let order = lanes[lane]?.first?.order {
      guard isHeavy(order, at: now) || accounts.scaledCharge(of: order) > charge else { break }
      _ = light.removeFirst()
      push(lane, at: now)
    }
    while let (lane, charge) = heavy.first, let order = lanes[lane]?.first?.order {
      guard !isHeavy(order, at: now) || accounts.scaledCharge(of: order) > charge else { break }
      _ = heavy.removeFirst()
      push(lane, at: now)
    }
  }

  private func isHeavy(_ order: WorkOrder, at now: MonotonicInstant) -> Bool {
    order.bytes > settings.largeBytes || accounts.charge(of: order, at: now) > settings.heavyCharge
      || accounts.expectedCost(of: order) > settings.heavyCharge
  }

  private mutating func begin(
    _ taken: (lane: WorkLane, charge: Double)?, isHeavy: Bool, at now: MonotonicInstant
  ) -> Turn? {
    guard let name = taken?.lane, let first = lanes[name]?.first, var lane = lanes.removeValue(forKey: name) else {
      return nil
    }
    lane.isRunning = true
    lane.removeFirst()
    lanes[name] = lane
    accounts.charge(first.order, settings.leastCost, at: now)
    running += 1
    runningHeavy += isHeavy ? 1 : 0
    return Turn(order: first.order, work: first.work, isHeavy: isHeavy)
  }

  /// Notes that a piece of work is done, and charges its payers in equal parts.
  mutating func finished(_ turn: Turn, cost: Duration, at now: MonotonicInstant) {
    running -= 1
    runningHeavy -= turn.isHeavy ? 1 : 0
    if accounts.needsRebase(at: now) {
      accounts.rebase(at: now)
      var waiting: [WorkLane] = []
      while let (lane, _) = light.removeFirst() { waiting.append(lane) }
      while let (lane, _) = heavy.removeFirst() { waiting.append(lane) }
      for lane in waiting { push(lane, at: now) }
    }
    accounts.charge(turn.order, cost, at: now)
    accounts.note(cost, of: turn.order)
    lanes[turn.order.lane]?.isRunning = false
    if lanes[turn.order.lane]?.first == nil {
      lanes[turn.order.lane] = nil
    } else {
      push(turn.order.lane, at: now)
    }
  }

  private mutating func push(_ lane: WorkLane, at now: MonotonicInstant) {
    guard let order = lanes[lane]?.first?.order else { return }
    let charge = accounts.scaledCharge(of: order)
    if isHeavy(order, at: now) { heavy.insert(lane, charge: charge) } else { light.insert(lane, charge: charge) }
  }
}
