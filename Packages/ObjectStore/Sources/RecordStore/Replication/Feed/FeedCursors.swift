import ByteCoding
import ChangesetOT
import StorageEngine

/// The cursors of a server's file, and what is needed to tell the age of history: times at which versions were the newest.
///
///     count, (name, position, bytes and milliseconds of the budget, 1 when behind) …, count, (version, time) …
///
/// One root record, which a file without cursors does not have.
struct FeedCursors {
  private static let recordName = "feed cursors"
  /// Times lie apart by the longest age of a budget divided by this.
  private static let timesPerAge: UInt64 = 64

  /// Ascending by name.
  private(set) var cursors: [FeedCursor] = []
  /// Ascending: the version was the newest at that time.
  private var times: [(version: ServerVersion, time: OriginTimestamp)] = []

  /// - Throws: `StorageError` with code `corrupt` when the record is none.
  init(in reader: any StorageReader) throws {
    guard let bytes = try reader.rootRecord(Self.recordName) else { return }
    do { try read(bytes) } catch is ByteDecodingError {
      throw StorageError(.corrupt, "The cursors of the realm cannot be read. Restore the file from a backup.")
    }
  }

  private mutating func read(_ bytes: [UInt8]) throws {
    var content = ByteReader(bytes)
    for _ in 0..<(try content.readCount()) {
      let name = try content.readString()
      let position = ServerVersion(try content.readVarint())
      let limit: UInt64 = try content.readVarint()
      let age: UInt64 = try content.readVarint()
      var cursor = FeedCursor(
        name: name, position: position,
        budget: FeedBudget(bytes: Int(clamping: limit), age: .milliseconds(Int64(clamping: age))))
      cursor.isBehind = try content.readByte() != 0
      cursors.append(cursor)
    }
    for _ in 0..<(try content.readCount()) {
      times.append((ServerVersion(try content.readVarint()), OriginTimestamp(try content.readVarint())))
    }
  }

  func store(in transaction: WriteTransaction) throws {
    guard !cursors.isEmpty else { return try transaction.setRootRecord(Self.recordName, nil) }
    var writer = ByteWriter()
    writer.writeVarint(cursors.count)
    for cursor in cursors {
      writer.writeString(cursor.name)
      writer.writeVarint(cursor.position.rawValue)
      writer.writeVarint(UInt64(clamping: cursor.budget.bytes))
      writer.writeVarint(cursor.budget.age.wholeMilliseconds)
      writer.writeByte(cursor.isBehind ? 1 : 0)
    }
    writer.writeVarint(times.count)
    for (version, time) in times {
      writer.writeVarint(version.rawValue)
      writer.writeVarint(time.rawValue)
    }
    try transaction.setRootRecord(Self.recordName, writer.bytes)
  }

  subscript(name: String) -> FeedCursor? {
    get { cursors.first { $0.name == name } }
    set {
      cursors.removeAll { $0.name == name }
      guard let newValue else { return }
      cursors.insert(newValue, at: cursors.firstIndex { $0.name > name } ?? cursors.count)
    }
  }

  /// Marks a cursor as one whose history is not held any more.
  mutating func markBehind(_ name: String) {
    guard let index = cursors.firstIndex(where: { $0.name == name }) else { return }
    cursors[index].isBehind = true
  }

  // MARK: Times

  /// Records that a version is the newest now, where that tells something.
  mutating func note(_ version: ServerVersion, at time: OriginTimestamp) {
    // Only what lies after a cursor is asked for.
    let least = cursors.lazy.filter { !$0.isBehind }.map(\.position).min()
    times.removeAll { known in least.map { known.version <= $0 } ?? true }
    guard let least, version > least else { return }
    if let last = times.last {
      let age = cursors.map { $0.budget.age.wholeMilliseconds }.max() ?? 0
      guard version > last.version, time.rawValue >= last.time.rawValue &+ age / Self.timesPerAge else { return }
    }
    times.append((version, time))
  }

  /// The time for which a version has been there at least.
  func age(of version: ServerVersion, at now: OriginTimestamp) -> Duration {
    guard let known = times.first(where: { $0.version >= version })?.time, known < now else { return .zero }
    return .milliseconds(Int64(clamping: now.rawValue - known.rawValue))
  }
}

extension Duration {
  /// In milliseconds, rounded down; 0 for negative ones.
  fileprivate var wholeMilliseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (milliseconds, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000)
    return overflows
      ? UInt64(Int64.max) : min(milliseconds + UInt64(attoseconds / 1_000_000_000_000_000), UInt64(Int64.max))
  }
}
