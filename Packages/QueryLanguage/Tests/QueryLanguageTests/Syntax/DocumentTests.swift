import DataModel
import Foundation
import QueryLanguage
import QueryLanguageTestSupport
import TestKit
import Testing

/// The examples of `Docs/QueryLanguage.md`, run.
@Suite("Docs/QueryLanguage.md") struct DocumentTests {
  @Test("every example gives the result it shows") func examples() throws {
    let url = RepositoryFiles.root().appendingPathComponent("Docs/QueryLanguage.md")
    let text = try String(contentsOf: url, encoding: .utf8)
    let file = try #require(VectorFile.all().last { $0.name == "query-vectors.json" })
    let source = file.source()
    var count = 0
    for block in blocks(text) {
      for line in block.lines {
        guard let arrow = line.range(of: "→") else {
          Issue.record("no result in '\(line)'")
          continue
        }
        let query = line[..<arrow.lowerBound].trimmingCharacters(in: .whitespaces)
        let shown = line[arrow.upperBound...].trimmingCharacters(in: .whitespaces)
        let found = try result(query, block, file, source)
        #expect(found == shown, "\(line)")
        count += 1
      }
    }
    #expect(count > 130)
  }

  private struct Block {
    var isFormat: Bool
    var className: String
    var arguments: [QueryArgument]
    var lines: [String] = []
  }

  /// Blocks that begin with "```query Class [arguments]" or "```format Class [arguments]".
  private func blocks(_ text: String) -> [Block] {
    var blocks: [Block] = []
    var isInside = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```query ") || line.hasPrefix("```format ") {
        let words = line.split(separator: " ", maxSplits: 2)
        let json = words.count > 2 ? try? JSONSerialization.jsonObject(with: Data(words[2].utf8)) as? [Any] : []
        let arguments = (json ?? []).map { value -> QueryArgument in
          if let number = value as? NSNumber { return .value(.int(number.int64Value)) }
          return .value(.string(value as? String ?? ""))
        }
        blocks.append(Block(isFormat: words[0] == "```format", className: String(words[1]), arguments: arguments))
        isInside = true
      } else if line.hasPrefix("```") {
        isInside = false
      } else if isInside {
        blocks[blocks.count - 1].lines.append(String(line))
      }
    }
    return blocks
  }

  private func result(_ text: String, _ block: Block, _ file: VectorFile, _ source: MemorySource) throws -> String {
    do {
      let query =
        try block.isFormat
        ? ParsedQuery(format: text, arguments: block.arguments) : ParsedQuery(parsing: text)
      let plan = try QueryPlan(query, className: block.className, schema: file.schema, arguments: block.arguments)
      let table = try #require(source.memoryTable(block.className))
      let keys = try plan.rows(in: source).compactMap { table.objectKey(of: $0) }
      if keys.isEmpty { return "nothing" }
      if keys.count == table.rowCount, !plan.hasOrderingClauses { return "all" }
      return keys.map { if case .string(let name) = $0 { name } else { "\($0)" } }.joined(separator: ", ")
    } catch let error as QueryError { return error.category.rawValue }
  }
}
