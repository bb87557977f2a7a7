import Foundation
import Testing

/// `Docs/Migration-from-RealmSwift.md` says only what the sources say.
@Suite struct MigrationTableTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
    .standardizedFileURL

  /// The last part of every name of the table, with what is said of it.
  static func rows() throws -> [(name: String, status: String)] {
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs/Migration-from-RealmSwift.md"), encoding: .utf8)
    guard let table = text.range(of: "## Every name") else { return [] }
    return text[table.upperBound...].split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count == 2, cells[0].hasPrefix("`") else { return nil }
      let name = cells[0].filter { $0 != "`" }.split(separator: ".").last.map(String.init) ?? ""
      return (name, cells[1])
    }
  }

  /// The words that follow a keyword of declarations in the packages that an app sees.
  static func declared() throws -> Set<String> {
    let keywords: Set<Substring> = [
      "func", "var", "let", "class", "struct", "enum", "protocol", "typealias", "case", "actor",
    ]
    var names: Set<String> = []
    for package in ["ObjectStore", "SyncClient", "AuthClient", "Permissions", "RealmSwift", "DataModel"] {
      let folder = root.appendingPathComponent("Packages/\(package)/Sources")
      guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { continue }
      for case let file as URL in files where file.pathExtension == "swift" {
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          let code = line.drop { $0 == " " }
          guard !code.hasPrefix("//") else { continue }
          let isCase = code.hasPrefix("case ")
          guard isCase || code.contains("public ") || code.contains("open ") else { continue }
          let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "`") }
          for (word, next) in zip(words, words.dropFirst()) where keywords.contains(word) {
            names.insert(next.filter { $0 != "`" })
          }
          if isCase { names.formUnion(words.dropFirst().map { $0.filter { $0 != "`" } }) }
        }
      }
    }
    return names
  }

  @Test func whatIsSaidToBeTheSameIsDeclared() throws {
    let declared = try Self.declared()
    let rows = try Self.rows()
    #expect(rows.count > 300)
    for row in rows where row.status == "same" {
      #expect(declared.contains(row.name), "the table says that '\(row.name)' is here")
    }
  }

  @Test func everyNameHasAStatus() throws {
    for row in try Self.rows() {
      #expect(["same", "not yet", "impossible on Linux"].contains(row.status), "\(row.name)")
    }
  }
}
