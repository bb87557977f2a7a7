public import ChangesetOT
public import CommitFeed
import DataModel
public import RecordStore

/// Follows one realm transaction by transaction, and writes to it without hearing its own echo.
///
///     var adapter = try RealmAdapter("warehouse", of: "/shop", history)
///     while let transaction = try adapter.current() {
///       try warehouse.apply(transaction.instructions)
///       try adapter.advance()
///     }
///
/// The position is durable, in the realm's file under the adapter's name: a program that dies goes on with the same transaction.
/// A value of one consumer at a time.
public struct RealmAdapter {
  /// The name of the adapter.
  public let name: String
  /// The path of the realm.
  public let path: String
  /// The client file under which the adapter writes; its own transactions are passed over by ``current()``.
  public let ident: FileIdent
  private let history: ServerHistory
  private let budget: FeedBudget
  private var reader: FeedReader
  private var batch: FeedBatch?
  private var next = 0
  /// The newest transaction that was told, and the newest that is dealt with.
  private var told = ServerVersion.zero
  private var dealtWith = ServerVersion.zero
  /// The end of what was passed over while no transaction was told.
  private var passed: SaltedServerVersion?

  /// The adapter of a name on a realm.
  ///
  /// - Parameters:
  ///   - start: where it begins in a realm that it does not know.
  ///   - budget: the history that the realm keeps for it.
  /// - Throws: `FeedError` when the history does not have the start; `RecordStoreError` when the file cannot be written.
  public init(
    _ name: String, of path: String, _ history: ServerHistory, from start: FeedStart = .oldest,
    budget: FeedBudget = FeedBudget()
  ) throws {
    self.name = name
    self.path = path
    self.history = history
    self.budget = budget
    let feed = CommitFeed(of: path, history)
    let cursor = Self.cursor(name)
    reader = try feed.reader(cursor, budget: budget, from: start)
    var random = SystemRandomNumberGenerator()
    ident = try history.feedAuthor(cursor, random: &random)
  }

  /// Goes on after a position that is kept with the effects, in the other system.
  ///
  /// - Throws: `FeedError.unknownPosition` when the history does not have it.
  public mutating func resume(after position: SaltedServerVersion) throws {
    try reader.resume(after: position)
    batch = nil
    dealtWith = max(dealtWith, position.version)
  }

  /// The present transaction; nil when there is none yet. Own transactions are passed over, durably once there is nothing else.
  ///
  /// - Throws: `FeedError.fellBehind` when the adapter was away for longer than its budget: it then reads ``present()`` and advances
  ///   to its position. `RecordStoreError` when the file cannot be read.
  public mutating func current() throws -> AdapterTransaction? {
    guard let commit = try currentCommit(includingOwn: false), let batch else { return nil }
    return try AdapterTransaction(commit, schema: batch.schema)
  }

  /// The present transaction as a commit, for a consumer that keeps a copy of the realm.
  ///
  /// - Parameter includingOwn: whether those of the adapter itself are among them.
  /// - Throws: as ``current()``.
  public mutating func currentCommit(includingOwn: Bool) throws -> FeedCommit? {
    while true {
      if let batch, next < batch.commits.count {
        let commit = batch.commits[next]
        guard !includingOwn, commit.author == ident else {
          told = commit.version
          return commit
        }
        next += 1
        continue
      }
      if let batch, told <= dealtWith { passed = batch.end }
      batch = nil
      guard let new = try reader.next() else {
        if let passed, told <= dealtWith { try reader.advance(to: passed) }
        passed = nil
        return nil
      }
      (batch, next) = (new, 0)
    }
  }

  /// Moves to the next transaction: the present one is dealt with. Durable on return.
  ///
  /// - Throws: as `FeedReader.advance(to:)`.
  public mutating func advance() throws {
    guard let batch, next < batch.commits.count else { return }
    let isLast = next + 1 == batch.commits.count
    try reader.advance(to: isLast ? batch.end : batch.commits[next].position)
    (dealtWith, passed) = (batch.commits[next].version, nil)
    next += 1
  }

  /// The next commits, whoever made them.
  mutating func nextBatch() throws -> FeedBatch? {
    (batch, next) = (nil, 0)
    return try reader.next()
  }

  /// Moves past a position that was read, in memory only: the effect and the position are kept elsewhere.
  public mutating func pass() { next += 1 }

  /// Moves the durable position: history up to it is not needed any more.
  ///
  /// - Throws: as `FeedReader.advance(to:)`.
  public mutating func advance(to position: SaltedServerVersion) throws {
    try reader.advance(to: position)
    (dealtWith, passed) = (max(dealtWith, position.version), nil)
  }

  /// The newest version that is dealt with, as it is stored in the realm.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func storedPosition() throws -> ServerVersion { try storedSaltedPosition().version }

  /// The stored position with the salt of its version.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func storedSaltedPosition() throws -> SaltedServerVersion {
    try history.feedPosition(reader.name) ?? SaltedServerVersion(version: .zero, salt: 0)
  }

  /// The realm as it was at the stored position: all of the present, and what the objects that changed since were then.
  ///
  /// - Throws: `FeedError.fellBehind` when that state can no longer be told; `RecordStoreError` when the file cannot be read.
  /// - Complexity: O(*n*) in the changes since, which are in memory meanwhile.
  public func state() throws -> AdapterState {
    let position = try storedSaltedPosition()
    var reader = try CommitFeed(of: path, history).reader(reader.name, budget: budget)
    guard let batch = try reader.next() else {
      let (present, contents) = try present()
      // A commit between the two looks is told, and applied, again.
      guard present.version == position.version else { return try state() }
      return AdapterState(position: position, contents: contents, past: [:])
    }
    guard batch.start == position.version else { return try state() }
    do {
      var past: [ObjectReference: [String: StateDump.Item]?] = [:]
      for (object, fields) in try batch.statesAtStart() { past.updateValue(fields, forKey: object) }
      return AdapterState(position: position, contents: batch.contents(), past: past)
    } catch is FeedPastError {
      throw FeedError.fellBehind(
        FeedGap(cursor: name, position: position.version, newest: try present().position, reason: .trimmed))
    }
  }

  /// Forgets the position of an adapter, which holds no history from then on.
  ///
  /// - Returns: whether there was one.
  /// - Throws: `RecordStoreError` when the file cannot be written.
  public static func remove(_ name: String, of path: String, _ history: ServerHistory) throws -> Bool {
    try CommitFeed(of: path, history).remove(cursor(name))
  }

  private static func cursor(_ name: String) -> String { "adapter " + name }

  /// The present state with its position, for a first load, and after the adapter had fallen behind.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func present() throws -> (position: SaltedServerVersion, contents: RealmContents) {
    try CommitFeed(of: path, history).present()
  }

  // MARK: Writing

  /// The number of the last transaction that the adapter wrote, and the version of the realm that it was based on.
  ///
  /// - Throws: `RecordStoreError` when the file cannot be read.
  public func written() throws -> UploadCursor {
    try history.clientFile(ident)?.upload ?? UploadCursor(client: .zero, server: .zero)
  }

  /// Writes one transaction: merged with what the realm has had since its base, as that of a device. A number at or below that of
  /// the last one is passed over, so that a transaction that is repeated is written once. Durable on return.
  ///
  /// - Parameters:
  ///   - number: grows with each transaction, such as the position in the log of the other system.
  ///   - base: the version of the realm that the other system had when it made the transaction; one below that of an earlier
  ///     transaction counts as that. Steps within a list, and `clear`, need the newest version as base, unless the list
  ///     is cleared before in the same transaction.
  ///   - time: of the transaction; what is later wins over what is earlier.
  ///   - sizes: of lists at the base that the adapter knows, in which its steps need no newest version.
  /// - Throws: ``AdapterError`` with code `refused` and the reason, after which nothing is changed; with code `badInstruction`;
  ///   `RecordStoreError` when the file cannot be written.
  public func write(
    _ instructions: [AdapterInstruction], number: UInt64, base: ServerVersion, time: OriginTimestamp,
    sizes: [AdapterPlace: Int] = [:]
  ) throws {
    try write([AdapterWrite(instructions, number: number, time: time, sizes: sizes)], base: base)
  }

  /// Writes several transactions with one base, as ``write(_:number:base:time:sizes:)`` does each of them, in one commit.
  ///
  /// - Parameter writes: in the order of their numbers. No two of them touch the same object.
  /// - Throws: as the other form; nothing is changed then.
  public func write(_ writes: [AdapterWrite], base: ServerVersion) throws {
    let last = try written()
    let writes = writes.filter { $0.number > last.client.rawValue }
    guard let newest = writes.last else { return }
    let (present, contents) = try present()
    let known = present.version == max(base, last.server) ? contents : nil
    let server = max(base, last.server)
    var entries: [UploadEntry] = []
    for write in writes where !write.instructions.isEmpty {
      var writer = InstructionWriter(base: known, sizes: write.sizes)
      for step in write.instructions { try writer.add(step) }
      let changeset = Changeset(
        instructions: writer.instructions, origin: ChangesetOrigin(timestamp: write.time, file: ident))
      entries.append(
        UploadEntry(
          cursor: UploadCursor(client: ClientVersion(write.number), server: server), timestamp: write.time,
          changeset: changeset.encoded()))
    }
    try upload(entries, progress: UploadCursor(client: ClientVersion(newest.number), server: server))
  }

  /// Writes one transaction that was recorded in a copy of the realm at its base. Objects that it makes without primary key get
  /// keys of their own. Otherwise as ``write(_:number:base:time:sizes:)``.
  ///
  /// - Parameter changeset: the bytes as ``FeedCommit/changeset`` has them.
  /// - Throws: ``AdapterError`` with code `badInstruction` for bytes that are no changeset, and as the other form.
  public func write(
    changeset bytes: [UInt8], number: UInt64, base: ServerVersion, time: OriginTimestamp
  ) throws {
    guard number > (try written()).client.rawValue else { return }
    var changeset: Changeset
    do { changeset = try Changeset(decoding: bytes, origin: ChangesetOrigin(timestamp: time, file: ident)) } catch {
      throw AdapterError(.badInstruction, "the bytes are no changeset: \(error)", remedy: "send what the copy recorded")
    }
    let contents = try present().contents
    var random = SystemRandomNumberGenerator()
    let own = UInt64(ident.rawValue)
    try changeset.renumberProvisionalKeys { object in
      while true {
        let low = UInt64(UInt32.random(in: .min ... .max, using: &random))
        let key = ObjectReference(className: object.className, key: .global(GlobalKey(high: own, low: low)))
        if contents.schema[object.className] == nil { return low }
        if try contents.object(key) == nil { return low }
      }
    }
    try write(changeset, number: number, base: base, isEmpty: changeset.isEmpty)
  }

  private func write(_ changeset: Changeset, number: UInt64, base: ServerVersion, isEmpty: Bool) throws {
    let cursor = UploadCursor(client: ClientVersion(number), server: max(base, try written().server))
    let entries =
      isEmpty
      ? []
      : [UploadEntry(cursor: cursor, timestamp: changeset.origin.timestamp, changeset: changeset.encoded())]
    try upload(entries, progress: cursor)
  }

  private func upload(_ entries: [UploadEntry], progress: UploadCursor) throws {
    let batch = UploadBatch(
      file: ident, progress: progress, lockedServerVersion: progress.server, entries: entries)
    switch try history.integrate([batch]).first {
    case .integrated?, .undone?, nil: return
    case .refused(let refusal)?:
      throw AdapterError(
        .refused, "the realm refuses the transaction: \(refusal)", remedy: "check it against the schema")
    }
  }
}
