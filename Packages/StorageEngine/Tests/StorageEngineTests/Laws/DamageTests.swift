import Foundation
import SQLiteDatabase
import StorageEngine
import TestKit
import Testing

@Suite struct DamageTests {
  private func make(_ path: String, sealing: (any SealingKey)?) throws -> [String] {
    var configuration = StoreConfiguration()
    configuration.isDurable = false
    configuration.key = sealing
    let store = try Store.open(.file(path: path), configuration: configuration)
    var random = SeededGenerator(seed: 4)
    var model = Model()
    for _ in 0..<6 {
      try store.write { transaction in
        for _ in 0..<6 { try model.change(transaction, using: &random) }
        _ = try transaction.log("history").append(Array("entry".utf8))
        try transaction.setRootRecord("progress", [1, 2, 3])
      }
    }
    return try store.contents()
  }

  private func withoutCompanions(_ path: String) {
    for suffix in ["-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  @Test("a flipped bit gives a typed error or the right data, never a trap", arguments: [false, true])
  func bitFlips(isSealed: Bool) throws {
    let folder = TemporaryFolder()
    let sealing: (any SealingKey)? = isSealed ? ToySealing(key: 3) : nil
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
      configuration.key = sealing
      do {
        let store = try Store.open(.file(path: path), configuration: configuration)
        let found = try store.contents()
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

  /// A small file with content of every kind, and that content.
  private func small(_ path: String, _ key: (any SealingKey)?) throws -> [String] {
    var configuration = StoreConfiguration()
    configuration.key = key
    let store = try Store.open(.file(path: path), configuration: configuration)
    _ = try Counters(store, rows: 3)
    try store.write { transaction in
      let table = try transaction.createTable("T")
      let text = try transaction.addColumn("text", .string, to: table)
      let list = try transaction.addColumn("list", .list, to: table)
      let writer = try transaction.writer(of: table)
      let row = try writer.insertRow()
      try writer.setString("some text", text, row: row)
      try writer.appendElements([.int(1), .string("two")], list, row: row)
      _ = try transaction.log("history").append(Array("entry".utf8))
      try transaction.setRootRecord("progress", [1, 2, 3])
    }
    return try store.contents()
  }

  /// Opens a damaged copy: its content must be right, or a typed error.
  private func check(
    _ bytes: [UInt8], _ path: String, _ key: (any SealingKey)?, _ expected: [String], _ comment: Comment
  ) throws -> Bool {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { withoutCompanions(path) }
    var configuration = StoreConfiguration()
    configuration.key = key
    do {
      let store = try Store.open(.file(path: path), configuration: configuration)
      let isEqual = try store.contents() == expected
      // An empty file is a new store.
      #expect(isEqual || bytes.isEmpty, comment)
      _ = try? store.verify()
      return true
    } catch let error as StorageError {
      #expect(
        [.corrupt, .notAStore, .newerFormat, .wrongKey, .ioFailed, .cannotOpen, .permissionDenied].contains(
          error.code), "\(comment): \(error)")
      #expect(!error.message.isEmpty, comment)
      return false
    }
  }

  // RUNS=300 takes a bit of every byte and every length, RUNS=2400 every bit.
  @Test(
    "a flipped bit in any byte of a small file, and a cut at any length, give a typed error or the right data",
    arguments: [false, true])
  func everyByte(isEncrypted: Bool) throws {
    let folder = TemporaryFolder()
    let key: (any SealingKey)? = isEncrypted ? EncryptionKey([UInt8](repeating: 3, count: 64)) : nil
    let expected = try small(folder.file(), key)
    let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file())))
    withoutCompanions(folder.file())
    let step = max(1, 300 / (Seeds.runs ?? 1))
    let bits = max(1, 2400 / (Seeds.runs ?? 1))
    let path = folder.file("damaged.realm")
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    var (right, refused) = (0, 0)
    for start in stride(from: 0, to: bytes.count * 8, by: bits) {
      var copy = bytes
      let bit = min(start + Int.random(in: 0..<bits, using: &random), bytes.count * 8 - 1)
      copy[bit / 8] ^= 1 << UInt8(bit % 8)
      if try check(copy, path, key, expected, "bit \(bit % 8) of byte \(bit / 8)") { right += 1 } else { refused += 1 }
    }
    for length in stride(from: 0, to: bytes.count, by: step) {
      if try check(Array(bytes[..<length]), path, key, expected, "cut at \(length)") {
        right += 1
      } else {
        refused += 1
      }
    }
    print("damage\(isEncrypted ? ", encrypted" : ""): \(bytes.count) bytes, \(right) read right, \(refused) refused")
    #expect(refused > 0)
    #expect(right > 0)
  }

  @Test("a file that announces more than its version is refused without waiting")
  func impossibleAnnouncement() throws {
    let folder = TemporaryFolder()
    _ = try make(folder.file(), sealing: nil)
    withoutCompanions(folder.file())
    try SQLiteConnection(path: folder.file()).execute("UPDATE root SET freeable = version + 1")
    let error = #expect(throws: StorageError.self) { try Store.open(.file(path: folder.file())) }
    #expect(error?.code == .corrupt)
  }

  @Test(
    "a file of another program is refused and left unchanged",
    arguments: [
      "x", "SQLite format 3", "just some text, longer than a magic number",
      "just some text, longer than a header of SQLite, which is a hundred bytes long, so here is more",
    ])
  func foreign(text: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    for isReadOnly in [false, true] {
      var configuration = StoreConfiguration()
      configuration.isReadOnly = isReadOnly
      let error = #expect(throws: StorageError.self) {
        try Store.open(.file(path: path), configuration: configuration)
      }
      #expect(error?.code == .notAStore)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(text.utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.realm"])
  }

  @Test("a folder at the path of a file is refused and left unchanged")
  func folderInPlace() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.file(), withIntermediateDirectories: false)
    let error = #expect(throws: StorageError.self) { try Store.open(.file(path: folder.file())) }
    #expect(error?.code == .notAStore)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["test.realm"])
  }

  @Test("a failed opening leaves neither reader nor lock, and the file can be opened afterwards")
  func failedOpening() throws {
    let folder = TemporaryFolder()
    _ = try make(folder.file(), sealing: ToySealing(key: 3))
    #expect(throws: StorageError.self) { try Store.open(.file(path: folder.file())) }
    #expect(try !Store.isInUse(path: folder.file()))
    // A reader would block the change of the journal mode.
    let connection = try SQLiteConnection(path: folder.file())
    #expect(try connection.text("PRAGMA journal_mode = DELETE") == "delete")
  }

  @Test("a key that differs is refused")
  func wrongKey() throws {
    let folder = TemporaryFolder()
    _ = try make(folder.file(), sealing: ToySealing(key: 3))
    for key in [nil, ToySealing(key: 4)] as [ToySealing?] {
      var configuration = StoreConfiguration()
      configuration.key = key
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

  @Test("a writer that waits too long gets an error of code locked")
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
