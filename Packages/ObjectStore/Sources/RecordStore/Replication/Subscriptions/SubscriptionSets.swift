public import ChangesetOT

/// The subscription sets of a client file, from the one in force to the newest, as a pure machine.
///
///     var sets = SubscriptionSets()                        // set 0: empty, it brings the schema
///     let version = sets.append([adults], snapshot: newest)
///     sets.bootstrapEnded(of: version)                     // set 0 is superseded
///     sets.marked(version)
///     sets.active.state                                    // complete
///
/// Guarantee: versions rise and are never used again; a set that is in force is never dropped before a later one is.
public struct SubscriptionSets: Hashable, Sendable {
  /// The sets that are kept, by rising version; never empty.
  public internal(set) var sets: [SubscriptionSetRecord]
  /// The number of the subscription made last.
  public internal(set) var lastID: UInt64

  /// The sets of a new file: set 0 alone.
  public init() {
    sets = [SubscriptionSetRecord(version: .zero, snapshot: .zero)]
    lastID = 0
  }

  init(_ sets: [SubscriptionSetRecord], lastID: UInt64) {
    self.sets = sets
    self.lastID = lastID
  }

  /// The newest set, in whatever state.
  public var latest: SubscriptionSetRecord {
    sets.last ?? SubscriptionSetRecord(version: .zero, snapshot: .zero)
  }

  /// The set in force: the newest whose objects are in the file; set 0 before any.
  public var active: SubscriptionSetRecord {
    sets.last { $0.state == .complete || $0.state == .awaitingMark }
      ?? SubscriptionSetRecord(version: .zero, snapshot: .zero)
  }

  /// The sets that are to be sent, by rising version. Set 0 is in IDENT.
  public var pending: [SubscriptionSetRecord] {
    sets.filter { $0.version != .zero && ($0.state == .pending || $0.state == .bootstrapping) }
  }

  /// The set of a version; nil when it was superseded.
  public subscript(version: QueryVersion) -> SubscriptionSetRecord? { sets.first { $0.version == version } }

  // MARK: Changes of the application

  /// Adds a set behind the newest.
  ///
  /// - Parameter snapshot: the version of the file that it is stored with.
  @discardableResult
  public mutating func append(_ subscriptions: [SubscriptionRecord], snapshot: ClientVersion) -> QueryVersion {
    let version = QueryVersion(latest.version.rawValue + 1)
    let numbered = subscriptions.map { subscription in
      guard subscription.id == 0 else { return subscription }
      var numbered = subscription
      lastID += 1
      numbered.id = lastID
      return numbered
    }
    sets.append(SubscriptionSetRecord(version: version, snapshot: snapshot, subscriptions: numbered))
    return version
  }

  // MARK: Progress with the server

  /// A part of the objects of a set has arrived, and more will come.
  mutating func bootstrapBegan(of version: QueryVersion) {
    change(version) { set in if set.state == .pending { set.state = .bootstrapping } }
  }

  /// An incomplete bootstrap was dropped.
  mutating func bootstrapsDropped() {
    for index in sets.indices where sets[index].state == .bootstrapping { sets[index].state = .pending }
  }

  /// The objects of a set are in the file: sets before it are superseded.
  mutating func bootstrapEnded(of version: QueryVersion) {
    guard self[version] != nil else { return }
    change(version) { set in if set.state != .complete { set.state = .awaitingMark } }
    sets.removeAll { $0.version < version }
  }

  /// Everything that was on the server after the bootstrap of a set is in the file.
  ///
  /// - Returns: whether the set is complete by this.
  @discardableResult
  mutating func marked(_ version: QueryVersion) -> Bool {
    guard self[version]?.state == .awaitingMark else { return false }
    change(version) { $0.state = .complete }
    return true
  }

  /// The server cannot serve a set; one that is in force stays so.
  mutating func refused(_ version: QueryVersion, message: String) {
    change(version) { set in
      guard set.state == .pending || set.state == .bootstrapping else { return }
      set.state = .error
      set.message = message
    }
  }

  private mutating func change(_ version: QueryVersion, _ body: (inout SubscriptionSetRecord) -> Void) {
    guard let index = sets.firstIndex(where: { $0.version == version }) else { return }
    body(&sets[index])
  }
}
