import ChangesetOT
import DataModel
import RecordStore

/// The writes of the connector to tables that the slot has not shown yet. A pure value.
///
/// A row that the slot shows may be older than one that the connector wrote since. Where that later write has the property, the row needs
/// no repair: the later one is compared in its turn.
struct WritesUnderWay {
  /// Objects with the properties that were written; nil for all of them.
  typealias Written = [ObjectReference: Set<String>?]

  /// The properties of both sides; nil stands for all.
  static func joined(_ left: Set<String>?, _ right: Set<String>?) -> Set<String>? {
    if let left, let right { left.union(right) } else { nil }
  }

  private var transactions: [String: [(marker: String, written: Written)]] = [:]

  /// Takes note of a transaction that was committed.
  mutating func add(_ written: Written, marker: String, path: String) {
    transactions[path, default: []].append((marker, written))
  }

  /// Takes note of a transaction that the slot shows, and so of those before it.
  mutating func show(_ marker: String, path: String) {
    guard let index = transactions[path]?.firstIndex(where: { $0.marker == marker }) else { return }
    transactions[path]?.removeFirst(index + 1)
    if transactions[path]?.isEmpty == true { transactions[path] = nil }
  }

  /// The differences that no write which is under way makes up for.
  ///
  /// - Complexity: O(*n* · *m*) in the objects and the transactions under way.
  func rest(of different: Written, path: String) -> Written {
    guard let later = transactions[path] else { return different }
    var rest: Written = [:]
    for (object, properties) in different {
      var left = properties
      var isWhole = false
      for case (_, let written) in later {
        guard let names = written[object] else { continue }
        if let names { left?.subtract(names) } else { isWhole = true }
      }
      if !isWhole, left?.isEmpty != true { rest[object] = .some(left) }
    }
    return rest
  }
}

extension RowWrites {
  /// The objects with the properties that are written; nil for all of them.
  ///
  /// - Parameter failed: dead letters of objects that are not written.
  func written(without failed: [DeadLetter] = []) -> WritesUnderWay.Written {
    let failed = Set(failed.map { "\($0.className) \($0.key)" })
    var written: WritesUnderWay.Written = [:]
    for write in writes {
      let table = tables[write.table]
      guard let object = object(write), !failed.contains("\(table.className) \(write.key)") else { continue }
      guard let columns = write.columns, written[object] != .some(nil) else {
        written[object] = .some(nil)
        continue
      }
      let names = columns.map { table.columns[$0].property.name }
      let beside = write.beside.map { table.subTables[$0.sub].property.name }
      written[object, default: Set()]?.formUnion(names + beside)
    }
    return written
  }
}
