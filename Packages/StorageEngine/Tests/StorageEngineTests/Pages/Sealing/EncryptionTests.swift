import Foundation
import SQLiteDatabase
import TestKit
import Testing

@testable import StorageEngine

@Suite struct EncryptionTests {
  private static let key = EncryptionKey((0..<64).map { UInt8($0) })
  private static let other = EncryptionKey((0..<64).map { UInt8($0) ^ ($0 == 63 ? 1 : 0) })
  private static let secret = "a secret that must not be found"

  private func configuration(_ key: EncryptionKey?) -> StoreConfiguration {
    var configuration = StoreConfiguration()
    configuration.key = key
    return configuration
  }

  /// Writes the secret wherever content can go: names, cells, long cells, lists, maps, indexes, logs and records.
  private func fill(_ store: Store) throws {
    let secret = Self.secret
    try store.write { transaction in
      let table = try transaction.createTable(secret + " table")
      let text = try transaction.addColumn(secret + " column", .string, to: table)
      let list = try transaction.addColumn("list", .list, to: table)
      let index = try transaction.createIndex(secret + " index", .bytes, on: table)
      let writer = try transaction.writer(of: table)
      for number in 0..<300 {
        let row = try writer.insertRow()
        try writer.setString("\(secret) \(number)", text, row: row)
        try writer.appendElements([.string(secret)], list, row: row)
        try transaction.insert(Array("\(secret) \(number)".utf8), row: row, into: index)
      }
      try writer.setString(String(repeating: secret, count: 4000), text, row: RowKey(3))
      try transaction.setRootRecord("root", Array(secret.utf8))
      try transaction.setRootRecord("record", Array(secret.utf8))
      _ = try transaction.log("history").append(Array(secret.utf8))
    }
    // One row: a patch, and a table node in the root page.
    try store.write { transaction in
      let table = try #require(transaction.table(named: secret + " table"))
      let writer = try transaction.writer(of: table.id)
      try writer.setString(secret + " again", try #require(table.column(named: secret + " column")).id, row: RowKey(7))
    }
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
      try Data(contentsOf: URL(fileURLWithPath: folder.file(name))).range(of: Data(Self.secret.utf8)) != nil
    }
  }

  @Test("no file holds a word of encrypted content, while it is open and afterwards")
  func onlyCipherText() throws {
    let folder = TemporaryFolder()
    do {
      let store = try Store.open(.file(path: folder.file()), configuration: configuration(Self.key))
      try fill(store)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains("test.realm-wal"))
      #expect(try files(folder).isEmpty)
      try store.compact()
      #expect(try files(folder).isEmpty)
      try store.verify()
      // The search finds content in clear.
      try store.writeCopy(toPath: folder.file("clear.realm"))
      #expect(try files(folder) == ["clear.realm"])
      try FileManager.default.removeItem(atPath: folder.file("clear.realm"))
    }
    #expect(try files(folder).isEmpty)
    let store = try Store.open(.file(path: folder.file()), configuration: configuration(Self.key))
    let snapshot = try store.latestSnapshot()
    #expect(snapshot.table(named: Self.secret + " table") != nil)
    #expect(try store.log("history").entry(at: 1) == Array(Self.secret.utf8))
    #expect(try store.latestSnapshot().rootRecord("record") == Array(Self.secret.utf8))
  }

  @Test("another key, no key, and a key for a file in clear are refused, each with what to do")
  func wrongKeys() throws {
    let folder = TemporaryFolder()
    try fill(try Store.open(.file(path: folder.file("sealed")), configuration: configuration(Self.key)))
    try fill(try Store.open(.file(path: folder.file("clear"))))
    func refusal(_ name: String, _ key: EncryptionKey?) -> String? {
      let error = #expect(throws: StorageError.self) {
        try Store.open(.file(path: folder.file(name)), configuration: configuration(key))
      }
      #expect(error?.code == .wrongKey)
      return error?.message
    }
    #expect(refusal("sealed", Self.other)?.contains("not readable with that key") == true)
    #expect(refusal("sealed", nil)?.contains("is encrypted") == true)
    #expect(refusal("clear", Self.key)?.contains("is not encrypted") == true)
    let held = try Store.open(.file(path: folder.file("sealed")), configuration: configuration(Self.key))
    #expect(refusal("sealed", Self.other)?.contains("not readable with that key") == true)
    try held.verify()
  }

  @Test("a copy is in clear, or under the key that is given, and holds everything")
  func rekeying() throws {
    let folder = TemporaryFolder()
    let store = try Store.open(.file(path: folder.file()), configuration: configuration(Self.key))
    try fill(store)
    for (name, key) in [("clear", nil), ("same", Self.key), ("other", Self.other)] as [(String, EncryptionKey?)] {
      try store.writeCopy(toPath: folder.file(name), key: key)
      let copy = try Store.open(.file(path: folder.file(name)), configuration: configuration(key))
      let snapshot = try copy.latestSnapshot()
      #expect(try snapshot.version == store.latestSnapshot().version)
      let table = try #require(snapshot.table(named: Self.secret + " table"))
      let text = try #require(table.column(named: Self.secret + " column"))
      let cluster = try snapshot.cluster(of: RowKey(7), in: table.id)
      #expect(try cluster?.string(text.id, slot: 7) == Self.secret + " again")
      #expect(try snapshot.rootRecord("root") == Array(Self.secret.utf8))
      #expect(try copy.latestSnapshot().rootRecord("record") == Array(Self.secret.utf8))
      #expect(try copy.log("history").entries(in: .min ... .max).count == 1)
      try copy.verify()
      try copy.write { try $0.setRootRecord("root", nil) }
      try copy.verify()
    }
    let again = #expect(throws: StorageError.self) { try store.writeCopy(toPath: folder.file("same")) }
    #expect(again?.code == .exists)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.contains("draft") })
  }

  @Test("sealed content opens in its own context only")
  func moving() throws {
    let folder = TemporaryFolder()
    do {
      let store = try Store.open(.file(path: folder.file()), configuration: configuration(Self.key))
      try fill(store)
      try store.write { transaction in
        try transaction.setRootRecord("second", Array("second".utf8))
        _ = try transaction.log("history").append(Array("second".utf8))
        _ = try transaction.log("other").append(Array("third".utf8))
      }
      try store.writeCopy(toPath: folder.file("copy"), key: Self.key)
    }
    let swaps = [
      "UPDATE node SET content = (SELECT content FROM node WHERE id = (SELECT max(id) FROM node)) WHERE id = 1",
      "UPDATE root SET version = version + 1",
      "UPDATE log_1 SET content = (SELECT content FROM log_1 WHERE position = 2) WHERE position = 1",
      "UPDATE log_1 SET content = (SELECT content FROM log_2 WHERE position = 1) WHERE position = 1",
      "UPDATE log_1 SET gap = 0 WHERE position = 2",
      "DELETE FROM log_1 WHERE position = 2",
      "DROP TABLE log_2",
      "ALTER TABLE log_1 RENAME TO log_3; ALTER TABLE log_2 RENAME TO log_1; ALTER TABLE log_3 RENAME TO log_2",
      "ATTACH '\(folder.file("copy"))' AS copy; "
        + "UPDATE main.root SET content = (SELECT content FROM copy.root), version = (SELECT version FROM copy.root)",
      "ATTACH '\(folder.file("copy"))' AS copy; "
        + "UPDATE main.node SET content = (SELECT content FROM copy.node WHERE id = main.node.id) "
        + "WHERE id IN (SELECT id FROM copy.node)",
    ]
    for (number, swap) in swaps.enumerated() {
      let path = folder.file("swapped\(number)")
      try FileManager.default.copyItem(atPath: folder.file(), toPath: path)
      try SQLiteConnection(path: path).execute(swap)
      let error = #expect(throws: StorageError.self, "\(swap)") {
        let store = try Store.open(.file(path: path), configuration: configuration(Self.key))
        try store.verify()
      }
      #expect(error?.code == .corrupt, "\(swap): \(String(describing: error))")
    }
  }

  @Test("two sealings of one content differ")
  func freshNonces() throws {
    let sealing = try Self.key.sealing(salt: [1])
    let content = Array("content".utf8)
    #expect(try sealing.seal(content, for: .node(1)) != sealing.seal(content, for: .node(1)))
    #expect(try Self.key.sealing(salt: [2]).fingerprint != sealing.fingerprint)
  }
}
