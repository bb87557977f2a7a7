public import ChangesetOT
import StorageEngine

/// The subscriptions of a client file. They are stored in the file, in the same transactions as data, and are no objects:
/// neither queries nor changesets show them.
///
///     let store = SubscriptionStore(file)
///     try store.prepare()
///     let version = try store.update { $0.append(SubscriptionRecord(className: "Dog", query: "age < 3")) }
///
/// Safe from any thread. Calls that write block on the file's write lock.
public struct SubscriptionStore: Sendable {
  /// The file.
  public let file: RealmFile

  /// The subscriptions of `file`, which must record changesets.
  public init(_ file: RealmFile) { self.file = file }

  /// The sets; nil when the file is synced whole, or not at all.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func sets() throws -> SubscriptionSets? {
    try translatingErrors { try SubscriptionSets.stored(in: file.store.latestSnapshot()) }
  }

  /// Makes the file one that is synced by queries, and removes subscriptions that have expired.
  ///
  /// - Returns: whether the file was none before.
  /// - Throws: ``RecordStoreError`` with code `incompatibleHistories` when the file was synced whole.
  @discardableResult
  public func prepare() throws -> Bool {
    if let sets = try sets() {
      let now = nowMilliseconds
      if sets.latest.subscriptions.contains(where: { $0.hasExpired(at: now) }) { try update { _ in } }
      return false
    }
    return try file.write(isRecorded: false) { session in
      guard try SubscriptionSets.stored(in: session.transaction) == nil else { return false }
      guard try ClientLog.state(in: session.transaction).ident == .none else {
        throw RecordStoreError(
          .incompatibleHistories,
          "The file was synced whole and cannot be synced by queries. Open it with `fullSynchronization: true`, or "
            + "delete the local file once everything is uploaded.")
      }
      try SubscriptionSets().store(in: session.transaction)
      return true
    }
  }

  /// Makes an empty file one that is synced by queries and names a set as the one in force from its first connection on: the server
  /// fills it with what the set selects.
  ///
  /// - Parameter set: the set in force of another file.
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  public func adopt(_ set: SubscriptionSetRecord) throws {
    var set = set
    set.snapshot = .zero
    if set.version != .zero { set.state = .awaitingMark }
    let sets = SubscriptionSets([set], lastID: set.subscriptions.map(\.id).max() ?? 0)
    try file.write(isRecorded: false) { try sets.store(in: $0.transaction) }
  }

  /// Makes a file that ``prepare()`` has changed what it was before.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  public func abandon() throws {
    try file.write(isRecorded: false) { try SubscriptionSets.remove(from: $0.transaction) }
  }

  /// Checks that the file is not synced by queries.
  ///
  /// - Throws: ``RecordStoreError`` with code `incompatibleHistories` when it is.
  public func checkIsSyncedWhole() throws {
    guard try sets() != nil else { return }
    throw RecordStoreError(
      .incompatibleHistories,
      "The file is synced by queries and cannot be synced whole. Open it with `fullSynchronization: false`, or delete "
        + "the local file once everything is uploaded.")
  }

  /// Changes the subscriptions: what `change` leaves becomes the next set, without those that have expired. Stores nothing
  /// when they are as they were.
  ///
  /// - Parameter change: gets the newest set, whatever its state; new subscriptions have id 0. Times are set by the store
  ///   where they are 0.
  /// - Returns: the version of the new set; nil when nothing was stored.
  /// - Throws: what `change` throws; ``RecordStoreError`` when the file is not synced by queries or cannot be written.
  @discardableResult
  public func update(_ change: (inout [SubscriptionRecord]) throws -> Void) throws -> QueryVersion? {
    try update(from: { $0.latest }, change)
  }

  /// As ``update(_:)``, from the newest set that was not refused: one bad query does not spoil those that follow.
  ///
  /// - Throws: what `change` throws; ``RecordStoreError`` when the file is not synced by queries or cannot be written.
  @discardableResult
  public func updateServable(_ change: (inout [SubscriptionRecord]) throws -> Void) throws -> QueryVersion? {
    try update(from: { sets in sets.sets.last { $0.state != .error } ?? sets.active }, change)
  }

  private func update(
    from base: (SubscriptionSets) -> SubscriptionSetRecord, _ change: (inout [SubscriptionRecord]) throws -> Void
  ) throws -> QueryVersion? {
    do {
      return try file.write(isRecorded: false) { session in
        guard var sets = try SubscriptionSets.stored(in: session.transaction) else { throw notQueried }
        let now = nowMilliseconds
        let before = base(sets).subscriptions
        var subscriptions = before
        try change(&subscriptions)
        for index in subscriptions.indices {
          if subscriptions[index].createdAt == 0 { subscriptions[index].createdAt = now }
          if subscriptions[index].updatedAt == 0 { subscriptions[index].updatedAt = now }
        }
        subscriptions.removeAll { $0.hasExpired(at: now) }
        guard subscriptions != before else { throw Unchanged() }
        let version = sets.append(subscriptions, snapshot: session.nextVersion.clientVersion)
        try sets.store(in: session.transaction)
        return version
      }
    } catch is Unchanged { return nil }
  }

  /// Ends a write transaction that would store what is there.
  private struct Unchanged: Error {}

  private var notQueried: RecordStoreError {
    RecordStoreError(
      .incompatibleSession,
      "Subscriptions exist in realms that are synced by queries. Open the realm with such a configuration.")
  }

  private var nowMilliseconds: Int64 { file.options.clock().unixMilliseconds }

  // MARK: Progress with the server

  /// A set is served: everything on the server after its bootstrap is here. Writes nothing when that is known.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  public func complete(_ version: QueryVersion) throws {
    guard try sets()?[version]?.state == .awaitingMark else { return }
    try change { $0.marked(version) }
  }

  /// The server refuses a set.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  public func refuse(_ version: QueryVersion, message: String) throws {
    try change { $0.refused(version, message: message) }
  }

  private func change(_ body: (inout SubscriptionSets) -> Void) throws {
    try file.write(isRecorded: false) { session in
      guard var sets = try SubscriptionSets.stored(in: session.transaction) else { return }
      body(&sets)
      try sets.store(in: session.transaction)
    }
  }
}

extension SubscriptionRecord {
  /// Whether it may be removed at a time in milliseconds since 1970.
  func hasExpired(at now: Int64) -> Bool { expiresAt.map { $0 <= now } ?? false }
}
