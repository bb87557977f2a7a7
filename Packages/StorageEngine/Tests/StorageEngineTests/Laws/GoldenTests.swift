import Foundation
import StorageEngine
import TestKit
import Testing

/// Files of earlier releases, which every later one reads: `Tests/Vectors/golden/storage-<format>`.
///
/// `GOLDEN=<folder>` makes new ones there.
@Suite struct GoldenTests {
  private static let key = EncryptionKey((0..<64).map { UInt8($0) })

  private func configuration(_ name: String) -> StoreConfiguration {
    var configuration = StoreConfiguration()
    if name.contains("encrypted") { configuration.key = Self.key }
    return configuration
  }

  @Test("files of every release are read, verified and written")
  func files() throws {
    let root = RepositoryFiles.root().appendingPathComponent("Tests/Vectors/golden")
    let folders = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasPrefix("storage-") }
    #expect(!folders.isEmpty)
    for folder in folders.sorted() {
      let expected = try String(contentsOf: root.appendingPathComponent("\(folder)/contents.txt"), encoding: .utf8)
      for name in ["plain", "encrypted"] {
        let place = TemporaryFolder()
        let file = root.appendingPathComponent("\(folder)/\(name).realm")
        try FileManager.default.copyItem(atPath: file.path, toPath: place.file())
        let store = try Store.open(.file(path: place.file()), configuration: configuration(name))
        let isEqual = try store.contents().joined(separator: "\n") + "\n" == expected
        #expect(isEqual, "\(folder)/\(name)")
        try store.verify()
        try store.write { try $0.setRootRecord("new", [1]) }
        try store.verify()
        #expect(try store.latestSnapshot().rootRecord("new") == [1])
      }
    }
  }

  @Test("a read-only store of an earlier format reads objects, and refuses to read logs that are not migrated")
  func onlyRead() throws {
    for (format, hasOldLogs) in [("storage-5", true), ("storage-6", false)] {
      let place = TemporaryFolder()
      let file = RepositoryFiles.root().appendingPathComponent("Tests/Vectors/golden/\(format)/plain.realm")
      try FileManager.default.copyItem(atPath: file.path, toPath: place.file())
      var configuration = StoreConfiguration()
      configuration.isReadOnly = true
      let store = try Store.open(.file(path: place.file()), configuration: configuration)
      #expect(try store.verify().rows > 0)
      for ask in [
        { _ = try store.log("history").entries(in: .min ... .max) },
        { try store.writeCopy(toPath: place.file("copy")) },
      ] {
        if hasOldLogs {
          let error = #expect(throws: StorageError.self) { try ask() }
          #expect(error?.code == .readOnly)
        } else {
          try ask()
        }
      }
    }
  }

  @Test("golden files are made on demand", .enabled(if: ProcessInfo.processInfo.environment["GOLDEN"] != nil))
  func make() throws {
    let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["GOLDEN"] ?? "")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let place = TemporaryFolder()
    let store = try Store.open(.file(path: place.file()))
    var random = SeededGenerator(seed: 11)
    var model = Model()
    for _ in 0..<8 {
      try store.write { transaction in
        for _ in 0..<5 { try model.change(transaction, using: &random) }
        _ = try transaction.log("history").append(Array("entry".utf8))
        try transaction.setRootRecord("progress", [1, 2, 3])
      }
    }
    // Leaves with room, then a few entries for each of them: patches.
    let index = try store.write { try $0.createIndex("patched", .int, on: $0.createTable("Patched")) }
    for (first, step) in [(0, 4), (2, 8), (1, 40)] {
      try store.write { transaction in
        for number in stride(from: first, to: 4000, by: step) {
          try transaction.insert(Int64(number), row: RowKey(Int64(number)), into: index)
        }
      }
    }
    try store.writeCopy(toPath: folder.appendingPathComponent("plain.realm").path)
    try store.writeCopy(toPath: folder.appendingPathComponent("encrypted.realm").path, key: Self.key)
    try Data((store.contents().joined(separator: "\n") + "\n").utf8)
      .write(to: folder.appendingPathComponent("contents.txt"))
  }
}
