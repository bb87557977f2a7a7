/// A log: byte strings under ascending positions, outside of snapshots. Every call sees the latest commit. May be used
/// from any thread.
///
/// Every read is checked: an entry that is damaged or missing is an error, never a wrong answer.
///
///     let history = store.log("history")
///     try history.entries(in: 1...10).map(\.position)      // [1, 2]
public struct LogReader: Sendable {
  /// The name of the log.
  public let name: String
  let store: Store

  private func ask<R>(_ body: (LogStatements) throws -> R) throws -> R? {
    try translating("read log '\(name)'") { try store.reading(log: name, body) }
  }

  /// The least position with an entry; nil when empty.
  ///
  /// - Throws: ``StorageError`` when the root page cannot be read.
  public func firstPosition() throws -> Int64? { try ask { $0.state.span?.lowerBound } ?? nil }
  /// The greatest position with an entry; nil when empty.
  ///
  /// - Throws: ``StorageError`` when the root page cannot be read.
  public func lastPosition() throws -> Int64? { try ask { $0.state.span?.upperBound } ?? nil }
  /// The sum of the entries' sizes, in bytes.
  ///
  /// - Throws: ``StorageError`` when the root page cannot be read.
  /// - Complexity: O(1).
  public func totalBytes() throws -> Int { try ask { $0.state.bytes } ?? 0 }

  /// The entry at `position`, or nil.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when the entry, or the one behind the position, is damaged or
  ///   missing.
  public func entry(at position: Int64) throws -> [UInt8]? {
    try entries(in: position...position).first?.content
  }

  /// The entries with positions in the range, ascending, until their sizes reach `byteLimit`; at least one if there is
  /// any.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` when one of them is damaged or missing.
  /// - Complexity: O(log n + k) for k entries.
  public func entries(in range: ClosedRange<Int64>, byteLimit: Int = .max) throws -> [LogEntry] {
    try ask { try $0.entries(range, byteLimit: byteLimit) } ?? []
  }
}
