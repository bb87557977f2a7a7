import Dispatch
import Glibc
import StorageEngine

struct Exerciser {
  let store: Store

  struct Failure: Error, CustomStringConvertible { var description: String }

  func run(_ verb: String, _ number: UInt64) throws {
    switch verb {
    case "increment": for _ in 0..<number { try increment() }
    case "hold": try hold()
    case "wait": try wait(SnapshotVersion(number))
    case "churn": while true { say("\(try increment().rawValue)") }
    case "write-and-stay": try writeAndStay()
    case "read": say("\(try value(store.latestSnapshot()))")
    default: throw Failure(description: "unknown verb \(verb)")
    }
  }

  private func counter(_ reader: some StorageReader) throws -> (TableID, ColumnID, IndexID) {
    guard let table = reader.table(named: "Counter"), let column = table.column(named: "value"),
      let index = table.index(named: "value")
    else { throw Failure(description: "the store has no counters") }
    return (table.id, column.id, index.id)
  }

  @discardableResult func increment() throws -> SnapshotVersion {
    let transaction = try store.beginWrite()
    let (table, column, index) = try counter(transaction)
    let writer = try transaction.writer(of: table)
    try transaction.forEachRow(of: table) { row in
      let value = try transaction.cluster(of: row, in: table)?.int(column, slot: row.slot) ?? 0
      try writer.setInt(value + 1, column, row: row)
      try transaction.remove(value, row: row, from: index)
      try transaction.insert(value + 1, row: row, into: index)
    }
    return try transaction.commit()
  }

  /// Every row of a version holds the same number, in the table and in the index.
  func value(_ snapshot: Snapshot) throws -> Int64 {
    let (table, column, index) = try counter(snapshot)
    var values: Set<Int64> = []
    try snapshot.forEachRow(of: table) { row in
      values.insert(try snapshot.cluster(of: row, in: table)?.int(column, slot: row.slot) ?? -1)
    }
    guard values.count == 1, let value = values.first else { throw Failure(description: "values differ: \(values)") }
    guard try snapshot.index(index).count(value) == snapshot.rowCount(of: table) else {
      throw Failure(description: "the index differs from the table")
    }
    return value
  }

  private func hold() throws {
    let snapshot = try store.latestSnapshot()
    let before = try value(snapshot)
    store.dropCaches()
    say("ready")
    _ = readLine()
    store.dropCaches()
    let after = try value(snapshot)
    say(before == after ? "same" : "different")
  }

  private func writeAndStay() throws {
    let transaction = try store.beginWrite()
    let (table, column, _) = try counter(transaction)
    let writer = try transaction.writer(of: table)
    // Enough to be written out early.
    for _ in 0..<60_000 { try writer.setInt(-1, column, row: try writer.insertRow()) }
    say("ready")
    _ = readLine()
    withExtendedLifetime(transaction) {}
  }

  private func wait(_ version: SnapshotVersion) throws {
    let seen = DispatchSemaphore(value: 0)
    let observation = try store.observeCommits { if $0 >= version { seen.signal() } }
    say("ready")
    guard seen.wait(timeout: .now() + 20) == .success else { throw Failure(description: "no commit was observed") }
    observation.cancel()
    say("seen")
  }
}

/// Writes a line at once, so that it is out before the process can be killed.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}
