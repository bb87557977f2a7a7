import Foundation
import StorageEngine
import TestKit
import Testing

@Suite struct DamageTests {
  /// Everything that a reader can see, as text.
  private func contents(_ store: Store) throws -> [String] {
    let snapshot = try store.latestSnapshot()
    var lines: [String] = []
    for table in snapshot.tables {
      try snapshot.forEachRow(of: table.id) { row in
        for column in table.columns {
          let shape = ModelTable.Column(
            id: column.id, name: column.name, type: column.type, isNullable: column.isNullable)
          let cell = try snapshot.cell(shape, row, table.id)
          if case .map(let entries) = cell {
            // In a fixed order, to be comparable as text.
            lines += entries.map { "\(row) \(column.name) \($0.key) \($0.value)" }.sorted()
          } else {
            lines.append("\(table.name) \(row) \(column.name) \(cell)")
          }
        }
      }
      for index in table.indexes {
        switch index.kind {
        case .int:
          try snapshot.index(index.id).forEach(in: .min ... .max) { key, row in
            lines.append("\(index.name) \(key) \(row)")
            return true
          }
        case .bytes:
          try snapshot.index(index.id).forEach(prefix: []) { key, row in
            lines.append("\(index.name) \(key) \(row)")
            return true
          }
        }
      }
    }
    lines += try store.log("history").entries(in: .min ... .max).map { "\($0)" }
    lines.append("\(try store.record("progress") ?? [])")
    return lines
  }

  private func make(_ path: String, sealing: (any Sealing)?) throws -> [String] {
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    configuration.sealing = sealing
    let store = try Store.open(.file(path: path), configuration: configuration)
    var random = SeededGenerator(seed: 4)
    var model = Model()
    for _ in 0..<6 {
      try store.write { transaction in
        for _ in 0..<6 { try model.change(transaction, using: &random) }
        _ = try transaction.log("history").append(Array("entry".utf8))
        try transaction.setRecord("progress", [1, 2, 3])
      }
    }
    return try contents(store)
  }

  private func withoutCompanions(_ path: String) {
    for suffix in ["-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  @Test("a flipped bit gives a typed error or the right data, never a trap", arguments: [false, true])
  func bitFlips(isSealed: Bool) throws {
    let folder = TemporaryFolder()
    let sealing: (any Sealing)? = isSealed ? ToySealing(key: 3) : nil
    let expected = try make(folder.file(), sealing: sealing)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file())))
    withoutCompanions(folder.file())
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    var errors = 0
    for round in 0..<(Seeds.runs ?? 150) {
      let path = folder.file("flipped\(round).realm")
      var copy = bytes
      let bit = Int.random(in: 0..<copy.count * 8, using: &random)
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      try Data(copy).write(to: URL(fileURLWithPath: path))
      var configuration = StoreConfiguration()
      configuration.sealing = sealing
      do {
        let store = try Store.open(.file(path: path), configuration: configuration)
        let found = try contents(store)
        let isEqual = found == expected
        #expect(isEqual, "bit \(bit)")
        _ = try? store.verify()
      } catch let error as StorageError {
        errors += 1
        #expect(
          [.corrupt, .notAStore, .newerFormat, .wrongKey, .ioFailed, .cannotOpen, .permissionDenied].contains(
            error.code), "bit \(bit): \(error)")
      }
      withoutCompanions(path)
    }
    #expect(errors > 0)
  }

  @Test("a truncated file gives a typed error or the right data")
  func truncation() throws {
    let folder = TemporaryFolder()
    let expected = try make(folder.file(), sealing: nil)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file())))
    for length in stride(from: 0, to: bytes.count, by: max(bytes.count / 40, 1)) {
      let path = folder.file("cut\(length).realm")
      try Data(bytes[..<length]).write(to: URL(fileURLWithPath: path))
      do {
        let store = try Store.open(.file(path: path))
        // An empty file is a new store.
        let isEqual = try length == 0 || contents(store) == expected
        #expect(isEqual, "cut at \(length)")
      } catch {
        #expect(error is StorageError)
      }
    }
  }

  @Test("somebody else's file is refused and left as it was")
  func foreign() throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    try Data("just some text, longer than a header of SQLite, which is a hundred bytes long, so here is more".utf8)
      .write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: StorageError.self) { try Store.open(.file(path: path)) }
    #expect(error?.code == .notAStore)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.realm"])
  }

  @Test("a key that differs is refused")
  func wrongKey() throws {
    let folder = TemporaryFolder()
    _ = try make(folder.file(), sealing: ToySealing(key: 3))
    for key in [nil, ToySealing(key: 4)] as [ToySealing?] {
      var configuration = StoreConfiguration()
      configuration.sealing = key
      let error = #expect(throws: StorageError.self) {
        try Store.open(.file(path: folder.file()), configuration: configuration)
      }
      #expect(error?.code == .wrongKey)
    }
  }

  @Test("a folder that does not exist and a file that may not be created are typed errors")
  func missing() throws {
    let folder = TemporaryFolder()
    let error = #expect(throws: StorageError.self) { try Store.open(.file(path: folder.file("no/such/file"))) }
    #expect(error?.code == .cannotOpen)
    var configuration = StoreConfiguration()
    configuration.createsIfMissing = false
    let second = #expect(throws: StorageError.self) {
      try Store.open(.file(path: folder.file()), configuration: configuration)
    }
    #expect(second?.code == .cannotOpen)
  }

  @Test("a writer that waits too long is told so")
  func locked() throws {
    let folder = TemporaryFolder()
    var configuration = StoreConfiguration()
    configuration.busyTimeout = .milliseconds(20)
    let store = try Store.open(.file(path: folder.file()), configuration: configuration)
    let first = try store.beginWrite()
    let error = #expect(throws: StorageError.self) { try store.beginWrite() }
    #expect(error?.code == .locked)
    first.rollback()
    try store.beginWrite().rollback()
  }
}
