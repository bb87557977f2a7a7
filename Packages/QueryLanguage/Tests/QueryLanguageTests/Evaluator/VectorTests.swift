import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import TestKit
import Testing

/// The conformance vectors: `Tests/Vectors/query`, and the files that `OPENREALM_QUERY_VECTORS` names.
@Suite("Query vectors") struct VectorTests {
  @Test("every file holds cases") func filesHoldCases() throws {
    let files = try VectorFile.all()
    #expect(files.count >= 2)
    for file in files { #expect(!file.vectors.isEmpty, "\(file.name) holds no case") }
    for url in RepositoryFiles.additional("OPENREALM_QUERY_VECTORS") {
      let found = try RepositoryFiles.json(at: url).map { try VectorFile($0) }
      #expect(found.contains { !$0.vectors.isEmpty }, "\(url.path) holds no case")
    }
  }

  @Test("canonical text is as given and reads back as itself") func canonical() throws {
    for file in try VectorFile.all() {
      for vector in file.vectors {
        guard let canonical = vector.canonical else { continue }
        do {
          let text = try vector.parsed().canonical(arguments: vector.arguments)
          #expect(text == canonical, "\(vector)")
          #expect(try ParsedQuery(parsing: canonical).canonical() == canonical, "\(vector)")
        } catch { Issue.record("\(vector): \(error)") }
      }
    }
  }

  @Test("queries find what they should, however the store is laid out") func matches() throws {
    for file in try VectorFile.all() {
      for presentation in Self.presentations {
        let source = file.source(presentation)
        for vector in file.vectors { try check(vector, file, source) }
      }
    }
  }

  static var presentations: [MemorySource.Presentation] {
    var small = MemorySource.Presentation()
    small.clusterSize = 3
    small.hasIndexes = false
    small.rowKeyStride = 7
    small.hasHoles = true
    small.hasHeads = false
    var rows = MemorySource.Presentation()
    rows.hasColumns = false
    var wide = MemorySource.Presentation()
    wide.hasBounds = false
    wide.clusterSize = 1
    return [MemorySource.Presentation(), small, rows, wide]
  }

  private func check(_ vector: QueryVector, _ file: VectorFile, _ source: MemorySource) throws {
    do {
      for query in try queries(vector) {
        let plan = try QueryPlan(
          query, className: vector.className, schema: file.schema, arguments: vector.arguments)
        let rows = try plan.rows(in: source)
        #expect(vector.error == nil, "\(vector) should fail with \(vector.error ?? "")")
        guard let expect = vector.expect, let table = source.memoryTable(vector.className) else { return }
        let found = rows.compactMap { table.objectKey(of: $0)?.value }
        if vector.isOrdered {
          #expect(found == expect, "\(vector)")
        } else {
          #expect(Set(found) == Set(expect), "\(vector): \(found) not \(expect)")
          #expect(found.count == expect.count, "\(vector): \(found) not \(expect)")
        }
        #expect(try plan.count(in: source) == expect.count, "\(vector)")
        if !plan.hasOrderingClauses {
          for position in 0..<table.rowCount {
            let row = table.rowKey(position)
            #expect(try plan.matches(row, in: source) == rows.contains(row), "\(vector)")
          }
        }
      }
    } catch let error as QueryError {
      #expect(error.category.rawValue == vector.error, "\(vector): \(error)")
    }
  }

  /// The query as written, and the query that its canonical text stands for.
  private func queries(_ vector: QueryVector) throws -> [ParsedQuery] {
    let query = try vector.parsed()
    guard vector.error == nil else { return [query] }
    return [query, try ParsedQuery(parsing: query.canonical(arguments: vector.arguments))]
  }
}
