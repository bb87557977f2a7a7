import Foundation
import SQLiteDatabase
import StorageEngine
import TestKit
import Testing

/// The worked example of `Docs/FileFormat.md`.
@Suite struct FileFormatTests {
  /// The bytes that begin the lines of the last block of the document.
  private func documentedBytes() throws -> [UInt8] {
    let document = RepositoryFiles.root().appendingPathComponent("Docs/FileFormat.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    let example = try #require(text.components(separatedBy: "```text\n").last?.components(separatedBy: "```").first)
    return example.split(separator: "\n").flatMap { line in
      line.components(separatedBy: "  ")[0].split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
  }

  @Test("the worked example of the document has the bytes of a new file")
  func example() throws {
    let folder = TemporaryFolder()
    do {
      let store = try Store.open(.file(path: folder.file()))
      try store.write { transaction in
        let people = try transaction.createTable("Person")
        let name = try transaction.addColumn("name", .string, to: people)
        let age = try transaction.addColumn("age", .int, to: people)
        let writer = try transaction.writer(of: people)
        let row = try writer.insertRow()
        try writer.setString("Ada", name, row: row)
        try writer.setInt(36, age, row: row)
      }
    }
    let connection = try SQLiteConnection(path: folder.file(), mode: .readOnly)
    #expect(try connection.integer("SELECT count(*) FROM node") == 0)
    #expect(try connection.integer("PRAGMA user_version") == 6)
    let select = try connection.prepare("SELECT version, freeable, content, recent FROM root")
    #expect(try select.step())
    #expect(select.int(at: 0) == 2)
    #expect(select.int(at: 1) == 2)
    #expect(select.bytes(at: 2) == (try documentedBytes()))
    #expect(select.bytes(at: 3) == [])
  }
}
