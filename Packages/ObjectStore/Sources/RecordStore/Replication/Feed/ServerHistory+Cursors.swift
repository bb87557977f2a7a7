public import ChangesetOT
import StorageEngine

// Cursors of consumers: durable positions that hold the history after them, within their budgets.

extension ServerHistory {
  /// Makes a cursor, or gives a known one another budget; durable on return.
  ///
  /// From the first cursor on, every version leaves its inverse, so that the states before it can be told: the history is
  /// about twice as large from then on.
  ///
  /// - Parameter start: the position of a new cursor; a known one stays where it is.
  /// - Throws: ``FeedError/unknownPosition(_:newest:)``; ``FeedError/fellBehind(_:)`` when the history after `start` is no
  ///   longer kept; ``RecordStoreError`` with code `invalidInput` for a name that is empty or too long, or one cursor too
  ///   many, or when the file cannot be written.
  @discardableResult
  public func addFeedCursor(
    _ name: String, budget: FeedBudget = FeedBudget(), from start: FeedStart = .newest
  ) throws -> FeedCursor {
    guard !name.isEmpty, name.utf8.count <= FeedCursor.longestName else {
      throw RecordStoreError(.invalidInput, "A cursor has a name of 1 to \(FeedCursor.longestName) bytes.")
    }
    return try file.write(isRecorded: false) { session in
      let transaction = session.transaction
      guard let state = try ServerState(in: transaction) else { throw ServerHistory.unprepared }
      var known = try FeedCursors(in: transaction)
      var cursor: FeedCursor
      if let present = known[name] {
        guard present.budget != budget else { return present }
        cursor = present
        cursor.budget = budget
      } else {
        guard known.cursors.count < FeedCursor.mostPerFile else {
          throw RecordStoreError(
            .invalidInput, "The realm has \(FeedCursor.mostPerFile) cursors. Remove one that nobody reads.")
        }
        cursor = FeedCursor(name: name, position: try Self.position(of: start, state, transaction), budget: budget)
        guard cursor.position >= state.base else {
          throw FeedError.fellBehind(
            FeedGap(cursor: name, position: cursor.position, newest: state.salted, reason: .trimmed))
        }
      }
      known[name] = cursor
      known.note(state.current, at: file.options.clock())
      try known.store(in: transaction)
      if try InverseLog.since(in: transaction) == nil { try InverseLog.begin(after: state.current, in: transaction) }
      return cursor
    }
  }

  /// Every cursor with the history before it, by name.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the cursors.
  public func feedCursors() throws -> [FeedCursorStatus] { try Self.feedCursors(of: file) }

  /// Every cursor of a file, read beside whoever writes to it; none for a file that is no server's.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*n*) in the cursors.
  public static func feedCursors(of file: RealmFile) throws -> [FeedCursorStatus] {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      let known = try FeedCursors(in: snapshot)
      return try known.cursors.map { try status(of: $0, known, file, in: snapshot) }
    }
  }

  /// A cursor with the history before it; nil when there is none of that name.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func feedCursor(_ name: String) throws -> FeedCursorStatus? {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      let known = try FeedCursors(in: snapshot)
      return try known[name].map { try Self.status(of: $0, known, file, in: snapshot) }
    }
  }

  /// The position of a cursor, with the salt of its version: for a consumer that has a copy of the realm; nil when there is none of
  /// that name.
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  public func feedPosition(_ name: String) throws -> SaltedServerVersion? {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      guard let version = try FeedCursors(in: snapshot)[name]?.position else { return nil }
      return SaltedServerVersion(
        version: version, salt: try ServerSalts.salt(of: version, state, in: snapshot) ?? 0)
    }
  }

  private static func status(
    of cursor: FeedCursor, _ known: FeedCursors, _ file: RealmFile, in snapshot: Snapshot
  ) throws -> FeedCursorStatus {
    guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
    let current = Int64(clamping: state.current.rawValue)
    let lag = try known.lag(
      of: cursor, state, inverseBytes: InverseLog.totalBytes(in: snapshot), at: file.options.clock()
    ) { log, position in
      guard position <= current else { return nil }
      return try file.store.log(log).entries(in: position...current, byteLimit: 1).first
    }
    return FeedCursorStatus(cursor: cursor, lag: lag)
  }

  /// Removes a cursor; it holds no history from then on.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``RecordStoreError`` when the file cannot be written.
  @discardableResult
  public func removeFeedCursor(_ name: String) throws -> Bool {
    try file.write(isRecorded: false) { session in
      var known = try FeedCursors(in: session.transaction)
      guard known[name] != nil else { return false }
      known[name] = nil
      try known.store(in: session.transaction)
      return true
    }
  }

  /// Moves a cursor on: everything up to a version is handled. Durable on return. A version at or below the cursor changes
  /// nothing; a cursor that had fallen behind holds history again, from its new position on.
  ///
  /// - Throws: ``FeedError/unknownCursor(_:)``, ``FeedError/unknownPosition(_:newest:)``; ``RecordStoreError`` when the file
  ///   cannot be written.
  public func advanceFeedCursor(_ name: String, to position: SaltedServerVersion) throws {
    try file.write(isRecorded: false) { try advance(name, to: position, in: $0) }
  }

  /// Moves a cursor on with the transaction of an editor: what the consumer writes to this realm and its position become
  /// durable together, or neither.
  ///
  /// - Precondition: the editor is one of this history's file.
  /// - Throws: ``FeedError/unknownCursor(_:)``, ``FeedError/unknownPosition(_:newest:)``; ``RecordStoreError`` when the file
  ///   cannot be read.
  public func advanceFeedCursor(_ name: String, to position: SaltedServerVersion, in editor: RealmEditor) throws {
    precondition(editor.session.file === file, "the editor writes to another file than that of the cursor")
    try translatingErrors { try advance(name, to: position, in: editor.session) }
  }

  private func advance(_ name: String, to position: SaltedServerVersion, in session: WriteSession) throws {
    let transaction = session.transaction
    guard let state = try ServerState(in: transaction) else { throw ServerHistory.unprepared }
    var known = try FeedCursors(in: transaction)
    guard var cursor = known[name] else { throw FeedError.unknownCursor(name) }
    let version = try Self.position(of: .after(position), state, transaction)
    guard version > cursor.position else { return }
    cursor.position = version
    cursor.isBehind = false
    known[name] = cursor
    known.note(state.current, at: file.options.clock())
    try known.store(in: transaction)
  }

  /// Whether the history has a version, with that salt: a position that a consumer keeps elsewhere belongs to it.
  ///
  /// - Throws: ``FeedError/unknownPosition(_:newest:)`` when it has not; ``RecordStoreError`` when the file cannot be read.
  public func checkFeedPosition(_ position: SaltedServerVersion) throws {
    try translatingErrors {
      let snapshot = try file.store.latestSnapshot()
      guard let state = try ServerState(in: snapshot) else { throw ServerHistory.unprepared }
      _ = try Self.position(of: .after(position), state, snapshot)
    }
  }

  private static func position(
    of start: FeedStart, _ state: ServerState, _ reader: any StorageReader
  ) throws -> ServerVersion {
    switch start {
    case .newest: return state.current
    case .oldest: return state.base
    case .after(let position):
      guard try ServerSalts.salt(of: position.version, state, in: reader) == position.salt else {
        throw FeedError.unknownPosition(position, newest: state.salted)
      }
      return position.version
    }
  }
}
