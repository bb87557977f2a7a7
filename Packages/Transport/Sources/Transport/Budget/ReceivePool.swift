/// Shares memory for incomplete messages among accounts within a limit. A pure value.
///
/// - Guarantee: the accounts hold at most `limit`, plus ``floor`` each, plus one message: that of the account with the
///   overdraft. A group of accounts may hold no more than is still free, so a new group always finds a share.
/// - Guarantee: no account waits for ever. While accounts wait, one of them has the overdraft: it reads on whatever the
///   others hold, until its message is complete. Groups get the overdraft in rotation. An account that makes no progress
///   is cut, see ``tick()``. The next overdraft is granted when reserved bytes take at most half of the limit; they belong
///   to work, which ends.
/// - Complexity: O(1) for ``room(for:atMost:)`` and ``hold(_:_:received:)``, O(*n*) for ``wake()`` with *n* waiting accounts.
public struct ReceivePool: Sendable {
  /// Names an account of the pool.
  public typealias Ident = UInt64

  /// The bytes that every account may hold whatever the others hold, so that small messages always arrive.
  public static let floor = 4 << 10
  /// The least worth reading at a time, beyond the floor.
  static let leastRoom = 1 << 10
  /// The accounts woken at a time.
  static let wokenAtOnce = 16
  /// The bytes that the account with the overdraft has to receive between two calls of ``tick()``.
  public static let leastProgress = 64 << 10
  /// The calls of ``tick()`` after which any other account that holds more than the floor and received nothing is cut.
  public static let patience = 3

  private enum State: Sendable { case reading, waiting, paused }

  private struct Account: Sendable {
    var group: String
    var held = 0
    var state = State.paused
    var received = 0
    var idleTicks = 0
  }

  private struct Group: Sendable {
    var accounts = 0
    var held = 0
    /// The number of its last overdraft.
    var lastOverdraft: UInt64 = 0
  }

  /// The bytes that all accounts may hold.
  public let limit: Int
  /// Bytes held by the accounts, without the one that has the overdraft.
  public private(set) var held = 0
  /// Bytes taken from the limit by work on what was received.
  public private(set) var reserved = 0
  /// Bytes taken from the limit by anything else, which need not end soon.
  public var occupied = 0
  /// The account that has the overdraft: it may read whatever the others hold.
  public private(set) var overdraft: Ident?
  private var overdraftTicks = 0
  private var accounts: [Ident: Account] = [:]
  private var groups: [String: Group] = [:]
  /// The accounts that wait, the oldest first.
  private var waiting: [Ident] = []
  private var lastIdent: Ident = 0
  private var overdraftCount: UInt64 = 0

  /// A pool of `limit` bytes.
  public init(limit: Int) { self.limit = max(0, limit) }

  /// Whether any account waits.
  public var hasWaiting: Bool { !waiting.isEmpty }
  /// Bytes held by all accounts.
  public var total: Int { held + (overdraft.flatMap { accounts[$0]?.held } ?? 0) }
  /// Bytes that are neither held nor reserved.
  public var free: Int { max(0, limit - reserved - occupied - held) }

  /// Adds an account, which counts with others of its group.
  public mutating func open(group: String) -> Ident {
    lastIdent += 1
    accounts[lastIdent] = Account(group: group)
    groups[group, default: Group()].accounts += 1
    return lastIdent
  }

  /// Removes an account with all that it holds.
  public mutating func close(_ ident: Ident) {
    guard let account = accounts[ident] else { return }
    hold(ident, 0, received: 0)
    if account.state == .waiting { waiting.removeAll { $0 == ident } }
    if overdraft == ident { overdraft = nil }
    accounts[ident] = nil
    guard var group = groups[account.group] else { return }
    group.accounts -= 1
    groups[account.group] = group.accounts == 0 ? nil : group
  }

  /// The number of bytes that the account may read; 0 when it has to wait until ``wake()`` names it.
  public mutating func room(for ident: Ident, atMost most: Int) -> Int {
    guard let account = accounts[ident] else { return 0 }
    var room = room(of: ident, account)
    if room == 0, canGrantOverdraft, waiting.isEmpty || waiting == [ident] {
      grantOverdraft(to: ident, account.group)
      room = .max
    }
    guard room > 0 else {
      if account.state != .waiting { waiting.append(ident) }
      accounts[ident]?.state = .waiting
      return 0
    }
    if account.state == .waiting { waiting.removeAll { $0 == ident } }
    accounts[ident]?.state = .reading
    return min(most, room)
  }

  private func room(of ident: Ident, _ account: Account) -> Int {
    if ident == overdraft { return .max }
    let share = free - (groups[account.group]?.held ?? 0)
    return max(0, Self.floor - account.held, share >= Self.leastRoom ? share : 0)
  }

  /// Records the bytes that an account holds after it received some.
  public mutating func hold(_ ident: Ident, _ bytes: Int, received: Int) {
    guard var account = accounts[ident] else { return }
    let change = bytes - account.held
    account.held = bytes
    account.received += received
    accounts[ident] = account
    groups[account.group]?.held += change
    guard ident == overdraft else { return held += change }
    if bytes <= Self.floor {
      overdraft = nil
      held += bytes
    }
  }

  /// Records that an account does not want to read: it neither waits nor keeps the overdraft.
  public mutating func pause(_ ident: Ident) {
    guard let account = accounts[ident] else { return }
    if account.state == .waiting { waiting.removeAll { $0 == ident } }
    if overdraft == ident {
      overdraft = nil
      held += account.held
    }
    accounts[ident]?.state = .paused
  }

  /// Takes bytes from the limit, beyond it if need be, as they are in use already.
  public mutating func reserve(_ bytes: Int) { reserved += bytes }

  /// Gives reserved bytes back.
  public mutating func release(_ bytes: Int) { reserved = max(0, reserved - bytes) }

  /// The accounts that waited and may read now; called after bytes were given back.
  public mutating func wake() -> [Ident] {
    guard !waiting.isEmpty else { return [] }
    var woken: [Ident] = []
    for ident in waiting {
      guard woken.count < Self.wokenAtOnce else { break }
      if let account = accounts[ident], room(of: ident, account) > 0 { woken.append(ident) }
    }
    if woken.isEmpty, canGrantOverdraft, let next = nextOverdraft() {
      grantOverdraft(to: next, accounts[next]?.group ?? "")
      woken = [next]
    }
    let names = Set(woken)
    waiting.removeAll { names.contains($0) }
    for ident in woken { accounts[ident]?.state = .reading }
    return woken
  }

  private var canGrantOverdraft: Bool { overdraft == nil && reserved <= limit / 2 }

  /// The oldest waiting account of the group whose last overdraft is the longest ago.
  private func nextOverdraft() -> Ident? {
    var best: (ident: Ident, last: UInt64)?
    for ident in waiting {
      let last = accounts[ident].flatMap { groups[$0.group]?.lastOverdraft } ?? 0
      if best.map({ last < $0.last }) ?? true { best = (ident, last) }
    }
    return best?.ident
  }

  private mutating func grantOverdraft(to ident: Ident, _ group: String) {
    overdraftCount += 1
    groups[group]?.lastOverdraft = overdraftCount
    overdraft = ident
    overdraftTicks = 0
    held -= accounts[ident]?.held ?? 0
    accounts[ident]?.received = 0
  }

  /// The accounts to be cut, as they make no progress while others wait. Called at intervals. O(*n*) for *n* accounts.
  public mutating func tick() -> [Ident] {
    guard hasWaiting else { return [] }
    var cut: [Ident] = []
    overdraftTicks += 1
    for (ident, var account) in accounts where account.state == .reading && account.held > 0 {
      let isSlow = ident == overdraft && overdraftTicks > 1 && account.received < Self.leastProgress
      account.idleTicks = account.received == 0 ? account.idleTicks + 1 : 0
      account.received = 0
      accounts[ident] = account
      if isSlow || (account.held > Self.floor && account.idleTicks >= Self.patience) { cut.append(ident) }
    }
    return cut.sorted()
  }
}
