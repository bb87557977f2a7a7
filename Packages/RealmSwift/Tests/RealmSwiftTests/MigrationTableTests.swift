import Foundation
import Testing

/// `Docs/Migration-from-RealmSwift.md` says only what the compiled modules have.
@Suite struct MigrationTableTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../..")
    .standardizedFileURL

  /// A row of the table: a type with its members that are here, and with those that are not.
  struct Row {
    var type: String
    var here: [String]
    var absent: [String]
  }

  static func rows() throws -> [Row] {
    let text = try String(
      contentsOf: root.appendingPathComponent("Docs/Migration-from-RealmSwift.md"), encoding: .utf8)
    let table = try #require(text.range(of: "## Every name"))
    func names(_ cell: Substring) -> [String] {
      cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
    }
    return text[table.upperBound...].split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
      guard cells.count == 5, cells[2].contains("`") || cells[3].contains("`") || cells[1].contains("`") else {
        return nil
      }
      return Row(type: names(cells[1]).first ?? "", here: names(cells[2]), absent: names(cells[3]))
    }
  }

  @Test(
    "every name of the table is looked up with its argument labels: what is said to be here is, what is said not to be is not"
  )
  func table() throws {
    let symbols = try PublicSymbols(
      modules: [
        "ObjectStore", "RecordStore", "SyncClient", "AuthClient", "Permissions", "DataModel", "QueryLanguage",
      ], root: Self.root)
    let rows = try Self.rows()
    #expect(rows.reduce(0) { $0 + $1.here.count } > 550)
    for row in rows {
      if !row.type.isEmpty { #expect(symbols.has(row.type, in: ""), "the table says that \(row.type) is here") }
      for name in row.here {
        #expect(symbols.has(name, in: row.type), "the table says that \(row.type).\(name) is here")
      }
      for name in row.absent {
        #expect(!symbols.has(name, in: row.type), "\(row.type).\(name) is here: say so in the table")
      }
    }
    // The look-up itself finds nothing that is not there.
    #expect(!symbols.has("write(withNotifying:_:)", in: "Realm"))
    #expect(!symbols.has("nothing", in: "Realm"))
  }
}
