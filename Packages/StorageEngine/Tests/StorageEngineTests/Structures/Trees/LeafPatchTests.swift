import TestKit
import Testing

@testable import StorageEngine

@Suite struct LeafPatchTests {
  /// The number and bytes of nodes of each kind in the file, pending ones included.
  private func nodes(_ store: Store) throws -> [UInt8: (count: Int, bytes: Int)] {
    Dictionary(grouping: try store.nodeContents(), by: { $0[0] }).mapValues {
      ($0.count, $0.reduce(0) { $0 + $1.count })
    }
  }

  private func patches(_ store: Store) throws -> Int {
    let found = try nodes(store)
    return [NodeKind.intLeafPatch, .bytesLeafPatch].reduce(0) { $0 + (found[$1.rawValue]?.count ?? 0) }
  }

  private func bytes(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: UInt64(bitPattern: number).bigEndian) { Array($0.dropFirst(5)) }
  }

  @Test(
    "indexes that change a little in every leaf, commit by commit, equal a set, also after opening again",
    arguments: Seeds.some(3))
  func equalsSet(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    var entries: Set<Int64> = []
    var (numbers, texts) = (IndexID(0), IndexID(0))
    var wasPatched = false
    for opening in 0..<3 {
      let store = try Store.open(.file(path: folder.file()), configuration: configuration)
      if opening == 0 {
        try store.write { transaction in
          let table = try transaction.createTable("T")
          numbers = try transaction.createIndex("numbers", .int, on: table)
          texts = try transaction.createIndex("texts", .bytes, on: table)
          for number in stride(from: 0 as Int64, to: 30_000, by: 3) {
            entries.insert(number)
            try transaction.insert(number, row: RowKey(number), into: numbers)
            try transaction.insert(bytes(number), row: RowKey(number), into: texts)
          }
        }
      }
      for round in 0..<12 {
        let comment: Comment = "SEED=\(seed) opening \(opening) round \(round)"
        try store.write { transaction in
          for _ in 0..<Int.random(in: 80...200, using: &random) {
            let number = Int64.random(in: 0..<30_000, using: &random)
            if random.oneIn(3) {
              entries.remove(number)
              try transaction.remove(number, row: RowKey(number), from: numbers)
              try transaction.remove(bytes(number), row: RowKey(number), from: texts)
            } else {
              entries.insert(number)
              try transaction.insert(number, row: RowKey(number), into: numbers)
              try transaction.insert(bytes(number), row: RowKey(number), into: texts)
            }
          }
        }
        if random.oneIn(2) { store.dropCaches() }
        let snapshot = try store.latestSnapshot()
        var found: [Int64] = []
        try snapshot.index(numbers).forEach(in: .min ... .max) { number, row in
          #expect(row.rawValue == number, comment)
          found.append(number)
          return true
        }
        #expect(found == entries.sorted(), comment)
        var rows: [Int64] = []
        try snapshot.index(texts).forEach(prefix: []) { _, row in
          rows.append(row.rawValue)
          return true
        }
        #expect(rows == found, comment)
        wasPatched = try wasPatched || patches(store) > 100
      }
      try store.verify()
    }
    #expect(wasPatched)
  }

  @Test("six hundred entries all over an index of 20,000 cost a fraction of the leaves that they fall into")
  func bytesWritten() throws {
    var random = SeededGenerator(seed: 5)
    let store = try Store.open(.inMemory(name: "bytes written"))
    let index = try store.write { try $0.createIndex("i", .int, on: $0.createTable("T")) }
    // Two times, so that the leaves have room.
    for rows in [0..<12_000, 12_000..<20_000] as [Range<Int64>] {
      try store.write { transaction in
        for row in rows {
          try transaction.insert(Int64.random(in: 0..<1_000_000, using: &random), row: RowKey(row), into: index)
        }
      }
    }
    let whole = try nodes(store)[NodeKind.intTree.rawValue]
    try store.write { transaction in
      for row in 20_000..<20_600 as Range<Int64> {
        try transaction.insert(Int64.random(in: 0..<1_000_000, using: &random), row: RowKey(row), into: index)
      }
    }
    let patches = try #require(try nodes(store)[NodeKind.intLeafPatch.rawValue])
    let leaf = try #require(whole.map { $0.bytes / $0.count })
    #expect(patches.count > 50)
    #expect(patches.bytes / patches.count * 8 < leaf)
    try store.verify()
  }

  @Test("dropping an index retires whole leaves and their patches")
  func dropped() throws {
    let store = try Store.open(.inMemory(name: "dropped patches"))
    let (table, index) = try store.write { transaction in
      let table = try transaction.createTable("T")
      return (table, try transaction.createIndex("i", .int, on: table))
    }
    // Two times, so that the leaves have room.
    for (first, step) in [(0, 4), (2, 8)] as [(Int64, Int64)] {
      try store.write { transaction in
        for number in stride(from: first, to: 40_000, by: Int64.Stride(step)) {
          try transaction.insert(number, row: RowKey(number), into: index)
        }
      }
    }
    try store.write { transaction in
      for row in 0..<600 as Range<Int64> { try transaction.insert(row * 66 | 1, row: RowKey(row), into: index) }
    }
    #expect(try patches(store) > 50)
    try store.write { try $0.dropIndex(index) }
    for _ in 0..<3 * Int(NodeReclaimer.interval) { try store.write { try $0.setAttributes(table) } }
    #expect(try nodes(store)[NodeKind.intTree.rawValue] == nil)
    #expect(try patches(store) == 0)
    try store.verify()
  }

  @Test("a patch of nothing, of itself, of another patch or of another kind is damage")
  func damaged() throws {
    let store = try Store.open(.inMemory(name: "damaged patches"))
    let (leaf, inner, patch) = try store.write { transaction in
      var block = IntBlock()
      for row in 0..<64 as Range<Int64> { block.append(IntKey(number: row, row: row), ()) }
      let nodes = transaction.state.store
      let leaf = try nodes.write(TreeNode(leaf: block).encoded()).id
      let inner = try nodes.write(
        TreeNode(
          level: 1, separators: block, children: Array(repeating: leaf, count: 64),
          counts: Array(repeating: 64, count: 64)
        ).encoded()
      ).id
      let change = TreeEdit<IntBlock>(key: IntKey(number: 1000, row: 0), content: ())
      let changes = TreeDelta(edits: CollectionOfOne(change))
      let patched = TreeNode(leaf: block, patch: LeafPatch(full: leaf, changes: changes))
      let patch = try nodes.write(patched.encoded()).id
      #expect(try nodes.loader.node(patch, TreeNode<IntBlock>.self).block.count == 65)
      for full in [0, inner, patch, patch + 1, patch + 100, .max] {
        let content = TreeNode(leaf: block, patch: LeafPatch(full: full, changes: changes)).encoded()
        let id = try nodes.write(content).id
        let error = #expect(throws: StorageError.self) { try nodes.loader.node(id, TreeNode<IntBlock>.self) }
        #expect(error?.code == .corrupt)
      }
      // Everything removed, and cut anywhere.
      let all = (0..<64 as Range<Int64>).map { TreeEdit<IntBlock>(key: IntKey(number: $0, row: $0), content: nil) }
      let nothing = TreeNode(leaf: block, patch: LeafPatch(full: leaf, changes: TreeDelta(edits: all))).encoded()
      let whole = patched.encoded().bytes
      for content in [nothing.bytes] + (1..<whole.count).map({ Array(whole[..<$0]) }) {
        let id = try nodes.write(NodeWriter(content: content)).id
        let error = #expect(throws: StorageError.self) { try nodes.loader.node(id, TreeNode<IntBlock>.self) }
        #expect(error?.code == .corrupt)
      }
      #expect(throws: StorageError.self) { try nodes.loader.node(patch, TreeNode<BytesBlock>.self) }
      return (leaf, inner, patch)
    }
    #expect(leaf < inner)
    #expect(inner < patch)
  }
}

extension WriteTransaction {
  /// Makes a version without changing an index.
  fileprivate func setAttributes(_ table: TableID) throws { try setRootRecord("tick", [UInt8(table.rawValue)]) }
}
