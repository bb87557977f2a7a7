import Foundation
import SQLiteDatabase
import TestKit
import Testing

@testable import StorageEngine

/// The entries of a log, as a dictionary.
private struct LogModel: Equatable {
  var entries: [Int64: [UInt8]] = [:]

  var sorted: [LogEntry] {
    entries.map { LogEntry(position: $0.key, content: $0.value) }.sorted { $0.position < $1.position }
  }

  mutating func delete(_ range: ClosedRange<Int64>) { entries = entries.filter { !range.contains($0.key) } }

  /// Applies one random change to a log and to itself.
  mutating func change(_ log: LogWriter, using random: inout SeededGenerator) throws {
    let position = Int64.random(in: -4...40, using: &random)
    func content() -> [UInt8] {
      let count = Int.random(in: 0..<4, using: &random) == 0 ? 6000 : Int.random(in: 0..<30, using: &random)
      return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    switch Int.random(in: 0..<11, using: &random) {
    case 0...2:
      let content = content()
      let last = entries.keys.max() ?? 0
      #expect(try log.append(content) == last + 1)
      entries[last + 1] = content
    case 3...5:
      let content = content()
      try log.put(content, at: position)
      entries[position] = content
    case 6:
      let batch = (0..<Int.random(in: 0..<8, using: &random)).map { _ in
        LogEntry(position: Int64.random(in: -4...40, using: &random), content: content())
      }
      try log.put(batch)
      for entry in batch { entries[entry.position] = entry.content }
    case 7:
      try log.delete(through: position - 10)
      delete(.min...position - 10)
    case 8:
      try log.delete(from: position + 10)
      delete(position + 10...(.max))
    case 9:
      try log.delete(at: position)
      delete(position...position)
    default:
      guard position % 4 == 0 else { return }
      try log.deleteAll()
      entries = [:]
    }
  }
}

@Suite struct LogModelTests {
  private static let names = ["history", "reciprocals", "third"]

  private func check(_ models: [String: LogModel], _ note: Comment, reader: (String) throws -> LogReader) throws {
    for name in Self.names {
      let (log, model) = (try reader(name), models[name, default: LogModel()])
      let sorted = model.sorted
      let areEqual = try log.entries(in: .min ... .max) == sorted
      #expect(areEqual, note)
      #expect(try log.firstPosition() == sorted.first?.position, note)
      #expect(try log.lastPosition() == sorted.last?.position, note)
      #expect(try log.totalBytes() == sorted.reduce(0) { $0 + $1.content.count }, note)
    }
  }

  @Test("logs equal dictionaries, in files, in sealed files and in memory", arguments: ["file", "sealed", "memory"])
  func model(kind: String) throws {
    for seed in Seeds.some(40) {
      var random = SeededGenerator(seed: seed)
      let folder = TemporaryFolder()
      var configuration = StoreConfiguration()
      configuration.isDurable = false
      if kind == "sealed" { configuration.key = ToySealing(key: 9) }
      let location: StoreLocation = kind == "memory" ? .inMemory(name: "logs \(seed)") : .file(path: folder.file())
      var store = try Store.open(location, configuration: configuration)
      var models: [String: LogModel] = [:]
      for round in 0..<12 {
        let note: Comment = "SEED=\(seed) round \(round)"
        let transaction = try store.beginWrite()
        var changed = models
        for _ in 0..<Int.random(in: 1..<6, using: &random) {
          let name = Self.names[Int.random(in: 0..<Self.names.count, using: &random)]
          try changed[name, default: LogModel()].change(transaction.log(name), using: &random)
          let range = Int64.random(in: -6...10, using: &random)...Int64.random(in: 10...44, using: &random)
          let areEqual =
            try transaction.log(name).entries(in: range)
            == changed[name, default: LogModel()].sorted.filter { range.contains($0.position) }
          #expect(areEqual, note)
        }
        // In memory, readers see what a transaction writes.
        try check(kind == "memory" ? changed : models, note) { store.log($0) }
        if Int.random(in: 0..<4, using: &random) == 0 {
          transaction.rollback()
        } else {
          try transaction.commit()
          models = changed
        }
        try check(models, note) { store.log($0) }
        if kind != "memory", round % 4 == 3 {
          try store.verify()
          store.dropCaches()
          let copy = folder.file("copy\(round)")
          try store.writeCopy(toPath: copy, key: configuration.key)
          store = try Store.open(.file(path: copy), configuration: configuration)
          try store.verify()
          try check(models, note) { store.log($0) }
        }
      }
    }
  }

  @Test("more logs than fit the root page are a tree beside it")
  func many() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    for number in 0..<120 {
      try store.write { transaction in
        for other in stride(from: number, through: 0, by: -40) {
          _ = try transaction.log("log \(other)").append([UInt8(number)])
        }
      }
    }
    try store.verify()
    #expect(try store.log("log 7").entries(in: .min ... .max).map(\.content) == [[7], [47], [87]])
    try store.writeCopy(toPath: folder.file("copy"))
    let copy = try Store.open(.file(path: folder.file("copy")))
    try copy.verify()
    #expect(try copy.log("log 119").entries(in: .min ... .max).map(\.content) == [[119]])
    let root = copy.current.withLock { $0 }
    #expect(root.logs?.tree != nil, "120 logs stand in the root")
  }

  @Test("few logs stand in the root page as a map cell with ascending entries")
  func few() throws {
    let store = try Store.open(.inMemory(name: "few logs"))
    for name in ["b", "a", "\u{E9}", "b", "ab"] {
      try store.write { _ = try $0.log(name).append([UInt8](repeating: 7, count: 300)) }
    }
    let logs = try #require(store.current.withLock { $0 }.logs)
    guard case .inline(let block) = try logs.content.withUnsafeBytes({ try MapCell($0) }) else {
      Issue.record("four logs are a tree")
      return
    }
    #expect((0..<block.count).map { block.key($0) } == ["a", "ab", "b", "\u{E9}"].map { Array($0.utf8) })
    let second = StoredValue.list([.int(1), .int(2), .int(600), .int(1), .int(2)])
    #expect(block.content(2) == StoredValueCoding.encode(second))
    #expect(MapCell.inline(block).content == logs.content)
    let names = try logs.all(store.loader).map(\.name)
    #expect(names == ["a", "ab", "b", "\u{E9}"])
    #expect(try RootLogs(logs.content).all(store.loader).map(\.state) == logs.all(store.loader).map(\.state))
  }

  @Test("in memory a copy is made while a transaction runs, and waits for one that changed a log")
  func copyInMemory() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .milliseconds(20)
    let store = try Store.open(.inMemory(name: "copied"), configuration: configuration)
    try store.write { _ = try $0.log("history").append([1]) }
    let transaction = try store.beginWrite()
    _ = try transaction.createTable("T")
    try store.writeCopy(toPath: folder.file("first"))
    _ = try transaction.log("history").append([2])
    let error = #expect(throws: StorageError.self) { try store.writeCopy(toPath: folder.file("second")) }
    #expect(error?.code == .locked)
    transaction.rollback()
    try store.writeCopy(toPath: folder.file("second"))
    for name in ["first", "second"] {
      let copy = try Store.open(.file(path: folder.file(name)))
      try copy.verify()
      #expect(try copy.latestSnapshot().tables.isEmpty)
      #expect(try copy.log("history").entries(in: .min ... .max) == [LogEntry(position: 1, content: [1])])
    }
  }

  /// A file with a sparse log, and its entries.
  private func sparse(_ path: String, using random: inout SeededGenerator) throws -> LogModel {
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    let store = try Store.open(.file(path: path), configuration: configuration)
    var model = LogModel()
    for _ in 0..<4 {
      try store.write { transaction in
        for _ in 0..<6 { try model.change(transaction.log("history"), using: &random) }
        _ = try transaction.log("history").append([1])
        model.entries[(model.entries.keys.max() ?? 0) + 1] = [1]
      }
    }
    return model
  }

  @Test(
    "an entry that is hidden, moved or altered is an error wherever it is needed, and nowhere else"
  )
  func hidden() throws {
    for seed in Seeds.some(60) {
      var random = SeededGenerator(seed: seed)
      let folder = TemporaryFolder()
      let model = try sparse(folder.file(), using: &random)
      let positions = model.entries.keys.sorted()
      let victim = positions[Int.random(in: 0..<positions.count, using: &random)]
      let wrongs = [
        "DELETE FROM log_1 WHERE position = \(victim)",
        "UPDATE log_1 SET position = position + 100 WHERE position = \(victim)",
        "UPDATE log_1 SET gap = gap + 1 WHERE position = \(victim)",
        "UPDATE log_1 SET content = zeroblob(length(content)) WHERE position = \(victim)",
      ]
      let wrong = wrongs[Int.random(in: 0..<wrongs.count, using: &random)]
      let note: Comment = "SEED=\(seed) \(wrong)"
      try SQLiteConnection(path: folder.file()).execute(wrong)
      let store = try Store.open(.file(path: folder.file()))
      for low in Int64(-6)...46 {
        let range = low...Int64.random(in: low...46, using: &random)
        if range.contains(victim) {
          let error = #expect(throws: StorageError.self, note) { try store.log("history").entries(in: range) }
          #expect(error?.code == .corrupt, note)
        } else if let found = try? store.log("history").entries(in: range) {
          // The entry behind the range may be the unreadable one.
          let isRight = found == model.sorted.filter { range.contains($0.position) }
          #expect(isRight, note)
        }
      }
      #expect(throws: StorageError.self, note) { try store.verify() }
      // Changes over the gap do not close it; entries that are wholly replaced are readable again.
      try? store.write { try $0.log("history").put([7], at: victim + 1) }
      #expect(throws: StorageError.self, note) { try store.log("history").entries(in: .min ... .max) }
      try store.write { try $0.log("history").deleteAll() }
      #expect(try store.log("history").entries(in: .min ... .max) == [])
      try store.write { _ = try $0.log("history").append([3]) }
      try store.verify()
    }
  }
}
