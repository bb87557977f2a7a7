/// A sequence of byte strings under ascending positions, outside of snapshots: a reader always sees the latest commit.
///
/// Whatever is asked, an entry that damage altered or hid is an error and no answer.
///
///     let history = store.log("history")
///     try history.entries(in: 1...10).map(\.position)      // [1, 2]
public struct LogReader: Sendable {
  public let name: String
  let store: Store

  private func ask<R>(_ body: (LogStatements) throws -> R) throws -> R? {
    try translating("read log '\(name)'") { try store.reading(log: name, body) }
  }

  /// The least position with an entry; nil when empty.
  public func firstPosition() throws -> Int64? { try ask { $0.state.span?.lowerBound } ?? nil }
  /// The greatest position with an entry; nil when empty.
  public func lastPosition() throws -> Int64? { try ask { $0.state.span?.upperBound } ?? nil }
  /// Sum of the entries' sizes, in bytes. O(1).
  public func totalBytes() throws -> Int { try ask { $0.state.bytes } ?? 0 }

  /// The entry at `position`, or nil.
  public func entry(at position: Int64) throws -> [UInt8]? {
    try entries(in: position...position).first?.content
  }

  /// The entries with positions in the range, ascending, until their sizes reach `byteLimit`; at least one if there
  /// is any.
  ///
  /// - Throws: ``StorageError`` with code `corrupt` where one of them is damaged or missing.
  public func entries(in range: ClosedRange<Int64>, byteLimit: Int = .max) throws -> [LogEntry] {
    try ask { try $0.entries(range, byteLimit: byteLimit) } ?? []
  }
}

/// One entry of a log.
public struct LogEntry: Hashable, Sendable {
  public var position: Int64
  public var content: [UInt8]

  public init(position: Int64, content: [UInt8]) {
    self.position = position
    self.content = content
  }
}
