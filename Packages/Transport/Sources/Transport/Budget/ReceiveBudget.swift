import Concurrency
import Telemetry

// @unchecked Sendable: its variables are touched on the loop only.
/// The memory of a server for incomplete WebSocket messages and HTTP requests, and for decoding them. On the loop only.
///
/// A connection opens an account, asks it for room before it reads, and records afterwards what it holds. Guests are
/// connections that the layer above has not admitted yet: they share a fixed eighth. ``ReceivePool`` has the rules.
///
/// Complete messages are counted by the layer above. It sets ``occupied`` to their bytes, so that both kinds of messages
/// together stay within one limit.
///
///     let budget = ReceiveBudget(limit: 512 << 20)
///     budget.reserve(80 << 20) { inflate(); budget.release(80 << 20) }   // now, or when there is room
public final class ReceiveBudget: Hashable, @unchecked Sendable {
  /// The trust in the peer of an account.
  public enum Standing: Hashable, Sendable {
    /// The layer above has not admitted the peer yet.
    case guest
    /// The layer above admitted the peer.
    case member
  }

  /// The interval between checks of the progress of reading connections.
  public static let tick: Duration = .seconds(10)

  private(set) var guests: ReceivePool
  private(set) var members: ReceivePool
  private var accounts: [Standing: [ReceivePool.Ident: ReceiveAccount]] = [.guest: [:], .member: [:]]
  private var requests: [(bytes: Int, run: () -> Void)] = []
  private var granted = 0
  private var scheduler: (any Scheduler)?
  /// Called from the loop after the next release of bytes while ``isReleaseAwaited``, which is then reset.
  public var onRelease: (() -> Void)?
  /// Whether ``onRelease`` is to be called after the next release of bytes.
  public var isReleaseAwaited = false
  private var isWaking = false
  private var isTicking = false

  /// A budget of `limit` bytes, of which guests have an eighth.
  public init(limit: Int) {
    guests = ReceivePool(limit: limit / 8)
    members = ReceivePool(limit: limit - limit / 8)
  }

  /// Whether both are the same budget.
  public static func == (left: ReceiveBudget, right: ReceiveBudget) -> Bool { left === right }
  /// Adds the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Bytes held by all connections.
  public var held: Int { guests.total + members.total }
  /// Bytes reserved for the decoding of messages.
  public var reserved: Int { members.reserved }

  /// Adds a connection.
  ///
  /// - Parameters:
  ///   - group: the name of its group, such as the peer's address or the user; groups share fairly.
  ///   - wake: called from the loop when the connection had to wait and may read again.
  ///   - cut: called from the loop when the connection makes no progress and holds memory that others wait for.
  public func open(
    _ standing: Standing, group: String, on scheduler: any Scheduler, wake: @escaping () -> Void,
    cut: @escaping () -> Void
  ) -> ReceiveAccount {
    self.scheduler = scheduler
    let ident = standing == .guest ? guests.open(group: group) : members.open(group: group)
    let account = ReceiveAccount(budget: self, ident: ident, standing: standing, wake: wake, cut: cut)
    accounts[standing]?[ident] = account
    return account
  }

  // MARK: Work

  /// Bytes of the limit that the layer above takes, such as complete messages and messages to be sent.
  public var occupied: Int {
    get { members.occupied }
    set {
      let isLess = newValue < members.occupied
      members.occupied = newValue
      if isLess { scheduleWakeUps() }
    }
  }

  /// Counts bytes that are in use already; ``release(_:wasGranted:)`` gives them back.
  public func reserve(_ bytes: Int) { members.reserve(bytes) }

  /// Reserves bytes, then calls `run`: at once when there is room, or when no other grant is out, so that work of any size
  /// proceeds. Further requests wait in order. Each `run` is followed by ``release(_:wasGranted:)`` with `wasGranted`.
  public func reserve(_ bytes: Int, run: @escaping () -> Void) {
    requests.append((bytes, run))
    grant()
  }

  /// Gives reserved bytes back.
  ///
  /// - Parameter wasGranted: whether ``reserve(_:run:)`` granted them.
  public func release(_ bytes: Int, wasGranted: Bool = false) {
    members.release(bytes)
    if wasGranted { granted -= 1 }
    grant()
    scheduleWakeUps()
  }

  private func grant() {
    while let first = requests.first, first.bytes <= members.free || granted == 0 {
      requests.removeFirst()
      granted += 1
      members.reserve(first.bytes)
      first.run()
    }
  }

  // MARK: Accounts

  func room(for account: ReceiveAccount, atMost most: Int) -> Int {
    let room = change(account.standing) { $0.room(for: account.ident, atMost: most) }
    if room == 0 { startTicking() }
    return room
  }

  func hold(_ account: ReceiveAccount, _ bytes: Int, received: Int) {
    change(account.standing) { $0.hold(account.ident, bytes, received: received) }
    scheduleWakeUps()
  }

  func pause(_ account: ReceiveAccount) {
    change(account.standing) { $0.pause(account.ident) }
    scheduleWakeUps()
  }

  func close(_ account: ReceiveAccount) {
    change(account.standing) { $0.close(account.ident) }
    accounts[account.standing]?[account.ident] = nil
    grant()
    scheduleWakeUps()
  }

  private func change<Result>(_ standing: Standing, _ body: (inout ReceivePool) -> Result) -> Result {
    standing == .guest ? body(&guests) : body(&members)
  }

  /// Wakes waiting accounts from the loop, so that no connection reads inside of another's call.
  private func scheduleWakeUps() {
    guard guests.hasWaiting || members.hasWaiting || isReleaseAwaited, !isWaking, let scheduler else { return }
    isWaking = true
    scheduler.execute { [self] in
      isWaking = false
      if isReleaseAwaited {
        isReleaseAwaited = false
        onRelease?()
      }
      let (wokenGuests, wokenMembers) = (guests.wake(), members.wake())
      for ident in wokenGuests { accounts[.guest]?[ident]?.wake() }
      for ident in wokenMembers { accounts[.member]?[ident]?.wake() }
      if !wokenGuests.isEmpty || !wokenMembers.isEmpty { scheduleWakeUps() }
    }
  }

  private func startTicking() {
    guard !isTicking, let scheduler else { return }
    isTicking = true
    scheduler.schedule(after: Self.tick) { [self] in
      isTicking = false
      for ident in guests.tick() { accounts[.guest]?[ident]?.cut() }
      for ident in members.tick() { accounts[.member]?[ident]?.cut() }
      if guests.hasWaiting || members.hasWaiting { startTicking() }
    }
  }
}
