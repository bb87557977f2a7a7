import TestKit
import Testing

@testable import StorageEngine

@Suite struct ClusterMapDeltaTests {
  private func random(_ random: inout SeededGenerator) -> (delta: ClusterMapDelta, nodes: [Int: Int64]) {
    var nodes: [Int: Int64] = [:]
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      nodes[Int.random(in: 0..<300, using: &random)] = Int64.random(in: 0...4, using: &random)
    }
    return (ClusterMapDelta.none.replacing(entries(nodes)), nodes)
  }

  private func entries(_ nodes: [Int: Int64]) -> [ClusterMapDelta.Entry] {
    nodes.sorted { $0.key < $1.key }.map { ClusterMapDelta.Entry(cluster: $0.key, node: $0.value) }
  }

  @Test("replacing, pages and differences are those of a dictionary", arguments: Seeds.some(300))
  func equalsDictionary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let comment: Comment = "SEED=\(seed)"
    let (old, oldNodes) = random(&generator)
    let (newer, newerNodes) = random(&generator)
    let merged = old.replacing(newer.entries)
    let mergedNodes = oldNodes.merging(newerNodes) { $1 }
    #expect(merged.entries == entries(mergedNodes), comment)
    for page in 0..<6 {
      #expect(Array(merged.entries(of: page)) == entries(mergedNodes.filter { $0.key / 64 == page }), comment)
    }
    for (left, right) in [(oldNodes, newerNodes), (oldNodes, mergedNodes), (mergedNodes, mergedNodes)] {
      let differing = Set((0..<300).filter { left[$0] != right[$0] }.map { $0 / 64 })
      let (first, second) = (
        ClusterMapDelta.none.replacing(entries(left)), ClusterMapDelta.none.replacing(entries(right))
      )
      #expect(first.pages(differingFrom: second) == differing.sorted(), comment)
    }
  }

  private func decode(_ bytes: [UInt8], limit: Int, node: Int64 = 100) throws -> ClusterMapDelta {
    try bytes.withUnsafeBytes { bytes in
      var reader = NodeReader(bytes, node: node)
      defer { withExtendedLifetime(bytes) {} }
      let delta = try ClusterMapDelta.decode(&reader, clusterLimit: limit)
      try reader.finish()
      return delta
    }
  }

  @Test("an empty delta takes no bytes, and others are decoded as they were encoded", arguments: Seeds.some(300))
  func coding(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (delta, nodes) = random(&generator)
    var writer = NodeWriter()
    delta.encode(into: &writer)
    #expect(writer.bytes.isEmpty == nodes.isEmpty)
    #expect(try decode(writer.bytes, limit: 300).entries == delta.entries)
    if let last = delta.entries.last {
      #expect(throws: StorageError.self) { try decode(writer.bytes, limit: last.cluster) }
      #expect(throws: StorageError.self) { try decode(writer.bytes.dropLast(), limit: 300) }
    }
  }

  @Test(
    "impossible content is refused",
    arguments: [
      ("a cluster twice", [2, 5, 1, 0, 2]), ("a cluster that the cluster map has no room for", [1, 64, 1]),
      ("no room at all", [1, 0, 1]), ("a node newer than the table's", [1, 5, 100]), ("fewer than it says", [2, 5, 1]),
    ] as [(String, [UInt8])])
  func impossible(what: String, content: [UInt8]) {
    let error = #expect(throws: StorageError.self) {
      try decode(content, limit: what == "no room at all" ? 0 : 64)
    }
    #expect(error?.code == .corrupt)
  }

  @Test(
    "rows of many clusters that change commit by commit equal a dictionary, in every snapshot and after opening again",
    arguments: Seeds.some(4))
  func commits(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    var table = TableID(0)
    var column = ColumnID(0)
    var model: [Int64: Int64] = [:]
    var (waited, wasWritten) = (false, false)
    for opening in 0..<3 {
      let store = try Store.open(.file(path: folder.file()), configuration: configuration)
      let reader = try Store.open(.file(path: folder.file()), configuration: configuration)
      if opening == 0 {
        try store.write { transaction in
          table = try transaction.createTable("T")
          column = try transaction.addColumn("a", .int, to: table)
          let writer = try transaction.writer(of: table)
          for _ in 0..<256 * 140 {
            let row = try writer.insertRow()
            // Few rows are many clusters then.
            if row.slot.isMultiple(of: 100) { model[row.rawValue] = 0 } else { try writer.deleteRow(row) }
          }
        }
      }
      for round in 0..<40 {
        let comment: Comment = "SEED=\(seed) opening \(opening) round \(round)"
        let before = try store.latestSnapshot()
        let old = model
        try store.write { transaction in
          let writer = try transaction.writer(of: table)
          for _ in 0..<Int.random(in: 1...4, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
              let row = try writer.insertRow()
              model[row.rawValue] = 0
            case 1:
              let cluster = Int64.random(in: 0..<140, using: &random)
              for row in cluster << 8..<(cluster + 1) << 8 where model.removeValue(forKey: row) != nil {
                try writer.deleteRow(RowKey(row))
              }
            default:
              guard let row = model.keys.sorted().randomElement(using: &random) else { continue }
              model[row] = Int64.random(in: 0...1000, using: &random)
              try writer.setInt(model[row] ?? 0, column, row: RowKey(row))
            }
          }
        }
        let after = try store.latestSnapshot()
        let delta = try #require(after.root.table(table)).clusterMap.delta
        waited = waited || !delta.entries.isEmpty
        wasWritten = wasWritten || (round > 0 && delta.entries.isEmpty)
        if random.oneIn(4) { store.dropCaches() }
        #expect(try values(after, table, column) == model, comment)
        #expect(try values(before, table, column) == old, comment)
        #expect(try values(reader.latestSnapshot(), table, column) == model, comment)
        let changes = try after.changes(since: before, in: table)
        #expect(Set(changes.deletions.map(\.rawValue)) == Set(old.keys).subtracting(model.keys), comment)
        #expect(Set(changes.insertions.map(\.rawValue)) == Set(model.keys).subtracting(old.keys), comment)
        let changed = model.filter { row, value in old[row].map { $0 != value } ?? false }
        #expect(Set(changes.modifications.map(\.row.rawValue)) == Set(changed.keys), comment)
      }
      try store.verify()
    }
    #expect(waited)
    #expect(wasWritten)
  }

  private func values(_ snapshot: Snapshot, _ table: TableID, _ column: ColumnID) throws -> [Int64: Int64] {
    var values: [Int64: Int64] = [:]
    try snapshot.forEachRow(of: table) { row in
      values[row.rawValue] = try snapshot.cluster(of: row, in: table)?.int(column, slot: row.slot)
    }
    return values
  }
}
