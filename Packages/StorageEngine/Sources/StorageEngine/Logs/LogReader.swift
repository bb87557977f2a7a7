/// A sequence of byte strings under ascending positions, outside of snapshots: a reader always sees the latest commit.
///
///     let history = store.log("history")
///     try history.entries(in: 1...10).map(\.position)      // [1, 2]
public struct LogReader: Sendable {
  public let name: String
  let loader: NodeLoader

  private func ask<R>(_ body: (LogStatements) throws -> R) throws -> R {
    try translating("read log '\(name)'") {
      try loader.database.reading { try body(LogStatements(door: $0, name: name, loader: loader)) }
    }
  }

  /// The least position with an entry; nil when empty.
  public func firstPosition() throws -> Int64? { try ask { try $0.integer("min(position)") } }
  /// The greatest position with an entry; nil when empty.
  public func lastPosition() throws -> Int64? { try ask { try $0.integer("max(position)") } }
  /// Sum of the entries' sizes, in bytes. O(1).
  public func totalBytes() throws -> Int { try ask { try $0.totalBytes() } }

  /// The entry at `position`, or nil.
  public func entry(at position: Int64) throws -> [UInt8]? {
    try ask { try $0.entries(position...position, byteLimit: .max).first?.content }
  }

  /// The entries with positions in the range, ascending, until their sizes reach `byteLimit`; at least one if there
  /// is any.
  public func entries(in range: ClosedRange<Int64>, byteLimit: Int = .max) throws -> [LogEntry] {
    try ask { try $0.entries(range, byteLimit: byteLimit) }
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
