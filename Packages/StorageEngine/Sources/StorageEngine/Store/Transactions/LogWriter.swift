/// A log within a ``WriteTransaction``: its reads include the writes of the transaction. For the thread of the
/// transaction.
///
/// Every operation throws ``StorageError`` with code `corrupt` when an entry that it needs is damaged or missing.
public struct LogWriter {
  /// The name of the log.
  public let name: String
  let transaction: WriteTransaction

  /// The greatest size of one entry, in bytes.
  static let entryLimit = 0x7FFF_FFFF - (1 << 20)

  private var store: NodeStore { transaction.state.store }

  private func state() throws -> LogState? {
    transaction.state.checkOpen()
    return try transaction.logs.state(of: name)
  }

  /// Changes the log; creates its table when it is new.
  private func change(_ known: LogState?, _ body: (inout LogStatements) throws -> Void) throws {
    let state = try known ?? transaction.logs.newState()
    transaction.areLogsChanged = true
    try store.changing("change log '\(name)'") { connection in
      var log = LogStatements(connection: connection.reader, source: store.loader.source, name: name, state: state)
      if known == nil { try log.makeTable() }
      try body(&log)
      transaction.logs.set(log.state, of: name, isNew: known == nil)
      transaction.owner.recordInMemory(log.state, of: name)
    }
  }

  /// The least position with an entry; nil when empty.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the logs of the version are damaged.
  public func firstPosition() throws -> Int64? { try state()?.span?.lowerBound }
  /// The greatest position with an entry; nil when empty.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the logs of the version are damaged.
  public func lastPosition() throws -> Int64? { try state()?.span?.upperBound }
  /// The sum of the entries' sizes, in bytes.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the logs of the version are damaged.
  /// - Complexity: O(1).
  public func totalBytes() throws -> Int { try state()?.bytes ?? 0 }

  /// The entry at `position`, or nil.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the entry, or the one behind the position, is damaged or
  ///   missing.
  public func entry(at position: Int64) throws -> [UInt8]? { try entries(in: position...position).first?.content }

  /// The entries with positions in the range, ascending, until their sizes reach `byteLimit`; at least one if there is
  /// any.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when one of them is damaged or missing.
  /// - Complexity: O(log n + k) for k entries.
  public func entries(in range: ClosedRange<Int64>, byteLimit: Int = .max) throws -> [LogEntry] {
    guard let state = try state() else { return [] }
    return try translating("use log '\(name)'") {
      try store.writer.with { connection in
        try LogStatements(connection: connection.reader, source: store.loader.source, name: name, state: state)
          .entries(range, byteLimit: byteLimit)
      }
    }
  }

  /// Puts `content`, up to 2 GiB less one MiB, at the position after the last; at 1 in an empty log.
  ///
  /// - Returns: the position.
  /// - Throws: ``StorageError`` with code `tooLarge` for more content, and when the last position is the greatest
  ///   there is.
  @discardableResult public func append(_ content: [UInt8]) throws -> Int64 {
    let (position, isBeyond) = try (lastPosition() ?? 0).addingReportingOverflow(1)
    guard !isBeyond else { throw StorageError(.tooLarge, "Log '\(name)' has no position left. Start another one.") }
    try put(content, at: position)
    return position
  }

  /// Puts `content` at `position`, replacing the entry there.
  ///
  /// - Throws: ``StorageError`` as ``put(_:)``.
  public func put(_ content: [UInt8], at position: Int64) throws {
    try put([LogEntry(position: position, content: content)])
  }

  /// Puts many entries, each at its position, replacing the entries there.
  ///
  /// - Throws: ``StorageError`` with code `tooLarge` for an entry above 2 GiB less one MiB, before any is put;
  ///   `diskFull` or `ioFailed` when the disk refuses, after which the transaction can only end.
  /// - Complexity: O(log n) for each entry.
  public func put(_ entries: [LogEntry]) throws {
    guard !entries.isEmpty else { return }
    for entry in entries where entry.content.count > Self.entryLimit {
      throw StorageError(
        .tooLarge, "An entry of \(entry.content.count) bytes exceeds the limit of \(Self.entryLimit). Split it.")
    }
    try change(try state()) { log in
      for entry in entries { try log.put(entry) }
    }
  }

  private func delete(_ range: ClosedRange<Int64>) throws {
    guard let state = try state(), let span = state.span, range.overlaps(span) else { return }
    try change(state) { try $0.delete(range) }
  }

  /// Removes the entries up to and including `position`.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when one of them, or the next one, is damaged or missing.
  /// - Complexity: O(log n + k) for k entries.
  public func delete(through position: Int64) throws { try delete(.min...position) }
  /// Removes the entries from `position` on.
  ///
  /// - Throws: ``StorageError`` as ``delete(through:)``.
  public func delete(from position: Int64) throws { try delete(position...(.max)) }
  /// Removes the entry at `position`; harmless when there is none.
  ///
  /// - Throws: ``StorageError`` as ``delete(through:)``.
  public func delete(at position: Int64) throws { try delete(position...position) }
  /// Removes all entries without reading them, so that a damaged log can be given up.
  ///
  /// - Throws: ``StorageError`` when the disk refuses.
  public func deleteAll() throws { try delete(.min...(.max)) }
}
