import Concurrency
import Telemetry

/// The memory that all connections of a server may take for what their peers sent: WebSocket messages and HTTP requests that
/// are not complete, and what is made of them. One owner on the loop; everything is to be called there.
///
/// A connection opens an account, asks it for room before it reads, and tells what it holds afterwards. Guests are
/// connections that nobody has admitted yet: they share a fixed eighth. The rules are those of ``ReceivePool``.
///
///     let budget = ReceiveBudget(limit: 512 << 20)
///     budget.reserve(80 << 20) { inflate(); budget.release(80 << 20) }   // now, or when there is room
// @unchecked Sendable: its variables are touched on the loop only.
public final class ReceiveBudget: Hashable, @unchecked Sendable {
  /// On whose behalf an account holds something.
  public enum Standing: Hashable, Sendable {
    /// Nobody has admitted the peer yet.
    case guest
    /// The layer above admitted the peer.
    case member
  }

  /// How often it is looked whether those that read make progress.
  public static let tick: Duration = .seconds(10)

  private(set) var guests: ReceivePool
  private(set) var members: ReceivePool
  private var accounts: [Standing: [ReceivePool.Ident: ReceiveAccount]] = [.guest: [:], .member: [:]]
  private var requests: [(bytes: Int, run: () -> Void)] = []
  private var granted = 0
  private var scheduler: (any Scheduler)?
  /// Called from the loop when bytes were given back and ``isReleaseAwaited``, which it ends.
  public var onRelease: (() -> Void)?
  /// Whether somebody waits for the next bytes that are given back.
  public var isReleaseAwaited = false
  private var isWaking = false
  private var isTicking = false

  /// A budget of `limit` bytes, of which guests have an eighth.
  public init(limit: Int) {
    guests = ReceivePool(limit: limit / 8)
    members = ReceivePool(limit: limit - limit / 8)
  }

  public static func == (left: ReceiveBudget, right: ReceiveBudget) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// Bytes held by all connections.
  public var held: Int { guests.total + members.total }
  /// Bytes reserved for what is made of messages.
  public var reserved: Int { members.reserved }

  /// Adds a connection.
  ///
  /// - Parameters:
  ///   - group: with whom it shares: the peer's address, or its user.
  ///   - wake: called from the loop when the connection had to wait and may read again.
  ///   - cut: called from the loop when it holds memory for which others wait, and makes no progress.
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

  // MARK: What is made of messages

  /// Bytes of the limit that something else takes, such as what waits to be sent.
  public var occupied: Int {
    get { members.occupied }
    set {
      let isLess = newValue < members.occupied
      members.occupied = newValue
      if isLess { somethingWasGivenBack() }
    }
  }

  /// Counts bytes of work that are there already; ``release(_:)`` gives them back.
  public func reserve(_ bytes: Int) {
    members.reserve(bytes)
  }

  /// Calls `run` once the bytes are reserved: at once when there is room, or when nobody else was granted any this way, so
  /// that one of any size goes on. The others wait in order. ``release(_:)`` is to be called for each `run`, with `wasGranted`.
  public func reserve(_ bytes: Int, run: @escaping () -> Void) {
    requests.append((bytes, run))
    grant()
  }

  /// Gives reserved bytes back.
  ///
  /// - Parameter wasGranted: whether they were asked for by ``reserve(_:run:)``.
  public func release(_ bytes: Int, wasGranted: Bool = false) {
    members.release(bytes)
    if wasGranted { granted -= 1 }
    grant()
    somethingWasGivenBack()
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
    somethingWasGivenBack()
  }

  func rest(_ account: ReceiveAccount) {
    change(account.standing) { $0.rest(account.ident) }
    somethingWasGivenBack()
  }

  func close(_ account: ReceiveAccount) {
    change(account.standing) { $0.close(account.ident) }
    accounts[account.standing]?[account.ident] = nil
    grant()
    somethingWasGivenBack()
  }

  private func change<Result>(_ standing: Standing, _ body: (inout ReceivePool) -> Result) -> Result {
    standing == .guest ? body(&guests) : body(&members)
  }

  /// From the loop: no connection reads inside of another's call.
  private func somethingWasGivenBack() {
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
      if !wokenGuests.isEmpty || !wokenMembers.isEmpty { somethingWasGivenBack() }
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

/// What one connection holds of a ``ReceiveBudget``. On the loop only.
public final class ReceiveAccount {
  let ident: ReceivePool.Ident
  let standing: ReceiveBudget.Standing
  let wake: () -> Void
  let cut: () -> Void
  private let budget: ReceiveBudget
  private var bytes = 0
  private var isOpen = true

  init(
    budget: ReceiveBudget, ident: ReceivePool.Ident, standing: ReceiveBudget.Standing, wake: @escaping () -> Void,
    cut: @escaping () -> Void
  ) {
    self.budget = budget
    self.ident = ident
    self.standing = standing
    self.wake = wake
    self.cut = cut
  }

  /// How many bytes may be read now; 0 when the connection has to wait until it is woken. O(1).
  public func room(atMost most: Int) -> Int { isOpen ? budget.room(for: self, atMost: most) : most }

  /// Says what the connection holds now, after it received so many bytes. O(1).
  public func hold(_ bytes: Int, received: Int) {
    guard isOpen, received > 0 || bytes != self.bytes else { return }
    self.bytes = bytes
    budget.hold(self, bytes, received: received)
  }

  /// The connection has paused reading, and needs no room.
  public func rest() { if isOpen { budget.rest(self) } }

  /// The connection is gone, with all it held.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    budget.close(self)
  }
}
