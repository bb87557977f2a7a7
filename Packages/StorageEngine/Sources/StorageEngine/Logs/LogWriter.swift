/// A log within a ``WriteTransaction``: reads with its writes, and writes.
public struct LogWriter {
  public let name: String
  let transaction: WriteTransaction

  /// The greatest size of one entry, in bytes.
  static let entryLimit = 0x7FFF_FFFF - (1 << 20)

  private func ask<R>(_ body: (LogStatements) throws -> R) throws -> R {
    transaction.state.checkOpen()
    let store = transaction.state.store
    return try translating("use log '\(name)'") {
      try store.door.with { try body(LogStatements(door: $0.reading, name: name, loader: store.loader)) }
    }
  }

  func change(_ body: (LogStatements) throws -> Void) throws {
    transaction.state.checkOpen()
    transaction.hasOutsideChanges = true
    let store = transaction.state.store
    try store.changing("change log '\(name)'") {
      try body(LogStatements(door: $0.reading, name: name, loader: store.loader))
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

  /// Puts `content`, up to 2 GiB less one MiB, at the position after the last; at 1 in an empty log.
  /// - Throws: ``StorageError`` with code `tooLarge` for more.
  @discardableResult public func append(_ content: [UInt8]) throws -> Int64 {
    let position = (try lastPosition() ?? 0) + 1
    try put(content, at: position)
    return position
  }

  /// Puts `content` at `position`, replacing what was there.
  public func put(_ content: [UInt8], at position: Int64) throws {
    try Self.checkSize(content)
    try change { try $0.put(content, at: position) }
  }

  /// Removes the entries up to and including `position`.
  public func delete(through position: Int64) throws { try change { try $0.delete(.min...position) } }
  /// Removes the entries from `position` on.
  public func delete(from position: Int64) throws { try change { try $0.delete(position...(.max)) } }
  /// Removes the entry at `position`; harmless when there is none.
  public func delete(at position: Int64) throws { try change { try $0.delete(position...position) } }
  /// Removes all entries.
  public func deleteAll() throws { try change { try $0.delete(.min...(.max)) } }
}
