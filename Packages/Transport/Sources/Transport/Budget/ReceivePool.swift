/// Who of many may read how much, so that what they hold together stays within a limit. A pure value.
///
/// - Guarantee: the accounts hold at most `limit`, and beyond it ``floor`` each and one message: that of the account whose turn
///   it is. An account may hold as much as is free, with the others of its group; so whoever comes always finds a share.
/// - Guarantee: nobody waits for ever. Where accounts wait, one of them has the turn and reads on whatever is held, until its
///   message is complete; groups take turns. Without progress it is cut, see ``tick()``. The next turn waits until what was
///   made of messages takes half of the limit at most: that is work, and ends.
/// - Complexity: O(1) for ``room(for:atMost:)`` and ``hold(_:_:received:)``, O(accounts that wait) for ``wake()``.
public struct ReceivePool: Sendable {
  /// Names an account of the pool.
  public typealias Ident = UInt64

  /// What every account may hold whatever the others hold: small messages always come through.
  public static let floor = 4 << 10
  /// The least worth reading at a time, beyond the floor.
  static let leastRoom = 1 << 10
  /// The accounts woken at a time.
  static let wokenAtOnce = 16
  /// What the account with the turn must receive between two calls of ``tick()``.
  public static let leastProgress = 64 << 10
  /// The calls of ``tick()`` after which any other that holds something and received nothing is cut.
  public static let patience = 3

  private enum State: Sendable { case reading, waiting, resting }

  private struct Account: Sendable {
    var group: String
    var held = 0
    var state = State.resting
    var received = 0
    var idleTicks = 0
  }

  private struct Group: Sendable {
    var accounts = 0
    var held = 0
    /// When it had the last turn.
    var turn: UInt64 = 0
  }

  /// The bytes that all accounts may hold.
  public let limit: Int
  /// Bytes held by the accounts, but for the one with the turn.
  public private(set) var held = 0
  /// Bytes taken from the limit by work on what was received.
  public private(set) var reserved = 0
  /// Bytes taken from the limit by anything else, which need not end soon.
  public var occupied = 0
  /// The account that reads on whatever is held.
  public private(set) var turn: Ident?
  private var hasTurnForTicks = 0
  private var accounts: [Ident: Account] = [:]
  private var groups: [String: Group] = [:]
  /// Accounts that wait, the oldest first.
  private var waiting: [Ident] = []
  private var lastIdent: Ident = 0
  private var turns: UInt64 = 0

  /// A pool of `limit` bytes.
  public init(limit: Int) { self.limit = max(0, limit) }

  /// Whether any account waits.
  public var hasWaiting: Bool { !waiting.isEmpty }
  /// Bytes held by all accounts.
  public var total: Int { held + (turn.flatMap { accounts[$0]?.held } ?? 0) }
  /// Bytes that are neither held nor reserved.
  public var free: Int { max(0, limit - reserved - occupied - held) }

  /// Adds an account, which counts with others of its group.
  public mutating func open(group: String) -> Ident {
    lastIdent += 1
    accounts[lastIdent] = Account(group: group)
    groups[group, default: Group()].accounts += 1
    return lastIdent
  }

  /// Removes an account with all it holds.
  public mutating func close(_ ident: Ident) {
    guard let account = accounts[ident] else { return }
    hold(ident, 0, received: 0)
    if account.state == .waiting { waiting.removeAll { $0 == ident } }
    if turn == ident { turn = nil }
    accounts[ident] = nil
    guard var group = groups[account.group] else { return }
    group.accounts -= 1
    groups[account.group] = group.accounts == 0 ? nil : group
  }

  /// How many bytes the account may read now; 0 when it has to wait, until ``wake()`` names it.
  public mutating func room(for ident: Ident, atMost most: Int) -> Int {
    guard let account = accounts[ident] else { return 0 }
    var room = room(of: ident, account)
    if room == 0, mayGiveTurn, waiting.isEmpty || waiting == [ident] {
      giveTurn(to: ident, account.group)
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
    if ident == turn { return .max }
    let share = free - (groups[account.group]?.held ?? 0)
    return max(0, Self.floor - account.held, share >= Self.leastRoom ? share : 0)
  }

  /// Says what an account holds now, and how many bytes it received for that.
  public mutating func hold(_ ident: Ident, _ bytes: Int, received: Int) {
    guard var account = accounts[ident] else { return }
    let change = bytes - account.held
    account.held = bytes
    account.received += received
    accounts[ident] = account
    groups[account.group]?.held += change
    guard ident == turn else { return held += change }
    if bytes <= Self.floor {
      turn = nil
      held += bytes
    }
  }

  /// The owner of the account does not want to read at the moment: it neither waits nor has a turn.
  public mutating func rest(_ ident: Ident) {
    guard let account = accounts[ident] else { return }
    if account.state == .waiting { waiting.removeAll { $0 == ident } }
    if turn == ident {
      turn = nil
      held += account.held
    }
    accounts[ident]?.state = .resting
  }

  /// Takes bytes from the limit, more than there are if need be: what is there already is told, not asked for.
  public mutating func reserve(_ bytes: Int) { reserved += bytes }

  /// Gives reserved bytes back.
  public mutating func release(_ bytes: Int) { reserved = max(0, reserved - bytes) }

  /// The accounts that waited and may read now; to be called when something was given back.
  public mutating func wake() -> [Ident] {
    guard !waiting.isEmpty else { return [] }
    var woken: [Ident] = []
    for ident in waiting {
      guard woken.count < Self.wokenAtOnce else { break }
      if let account = accounts[ident], room(of: ident, account) > 0 { woken.append(ident) }
    }
    if woken.isEmpty, mayGiveTurn, let next = nextTurn() {
      giveTurn(to: next, accounts[next]?.group ?? "")
      woken = [next]
    }
    let names = Set(woken)
    waiting.removeAll { names.contains($0) }
    for ident in woken { accounts[ident]?.state = .reading }
    return woken
  }

  private var mayGiveTurn: Bool { turn == nil && reserved <= limit / 2 }

  /// Of those that wait the one whose group had no turn for the longest time, and of these the oldest.
  private func nextTurn() -> Ident? {
    var best: (ident: Ident, turn: UInt64)?
    for ident in waiting {
      let turn = accounts[ident].flatMap { groups[$0.group]?.turn } ?? 0
      if best.map({ turn < $0.turn }) ?? true { best = (ident, turn) }
    }
    return best?.ident
  }

  private mutating func giveTurn(to ident: Ident, _ group: String) {
    turns += 1
    groups[group]?.turn = turns
    turn = ident
    hasTurnForTicks = 0
    held -= accounts[ident]?.held ?? 0
    accounts[ident]?.received = 0
  }

  /// Time has passed: who must be cut, since others wait and it makes no progress.
  public mutating func tick() -> [Ident] {
    guard hasWaiting else { return [] }
    var cut: [Ident] = []
    hasTurnForTicks += 1
    for (ident, var account) in accounts where account.state == .reading && account.held > 0 {
      let isSlow = ident == turn && hasTurnForTicks > 1 && account.received < Self.leastProgress
      account.idleTicks = account.received == 0 ? account.idleTicks + 1 : 0
      account.received = 0
      accounts[ident] = account
      if isSlow || (account.held > Self.floor && account.idleTicks >= Self.patience) { cut.append(ident) }
    }
    return cut.sorted()
  }
}
