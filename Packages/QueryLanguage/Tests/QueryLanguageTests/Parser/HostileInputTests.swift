import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import TestKit
import Testing

/// No text, however broken, deep or long, traps or hangs.
@Suite("Hostile input") struct HostileInputTests {
  @Test("damaged queries give an error or a query that prints and resolves") func damagedQueries() throws {
    let file = try #require(VectorFile.all().first)
    for seed in Seeds.some(4000) {
      var random = SeededGenerator(seed: seed)
      let vector = file.vectors[Int(random.next() % UInt64(file.vectors.count))]
      let other = file.vectors[Int(random.next() % UInt64(file.vectors.count))]
      var bytes = Array(vector.query.utf8)
      if random.oneIn(3) { bytes += Array(" and ".utf8) + Array(other.query.utf8) }
      let text = String(decoding: Damage.random(of: bytes, using: &random), as: UTF8.self)
      for dialect in QueryDialect.allCases {
        do {
          let query = try ParsedQuery(parsing: text, dialect: dialect)
          if let printed = try? query.canonical() {
            let again = try? ParsedQuery(parsing: printed)
            #expect((try? again?.canonical()) == printed, "SEED=\(seed) \(text)")
          }
          _ = try? QueryPlan(query, className: vector.className, schema: file.schema, arguments: vector.arguments)
        } catch {
          #expect((0...text.utf8.count).contains(error.span.start), "SEED=\(seed) \(text)")
          #expect(!error.description.isEmpty)
        }
      }
    }
  }

  @Test(
    "nesting past the limit is a syntax error",
    arguments: [
      String(repeating: "(", count: 100_000), String(repeating: "!", count: 100_000) + "TRUEPREDICATE",
      String(repeating: "NOT ", count: 100_000) + "a == 1", "a == 1" + String(repeating: " + 1", count: 100_000),
      String(repeating: "SUBQUERY(a, $v, ", count: 10_000), "a == " + String(repeating: "(1 + ", count: 5_000),
      String(repeating: "(", count: 300) + "a == 1" + String(repeating: ")", count: 300),
    ])
  func nesting(text: String) {
    let error = #expect(throws: QueryError.self) { try ParsedQuery(parsing: text) }
    #expect(error?.category == .syntax)
  }

  @Test("nesting within the limit is read") func deepButFine() throws {
    let text = String(repeating: "(", count: 200) + "a == 1" + String(repeating: ")", count: 200)
    #expect(try ParsedQuery(parsing: text).description == "a == 1")
  }

  @Test("long inputs are read or refused in one pass") func longInputs() throws {
    // A megabyte and more when RUNS asks for it: in debug builds that takes a while.
    let megabyte = Seeds.runs == nil ? 1 << 17 : 1 << 20
    let long = String(repeating: "x", count: megabyte)
    #expect(try ParsedQuery(parsing: "\(long) == '\(long)'").description.utf8.count > 2 * megabyte)
    for text in [
      String(repeating: "\"", count: megabyte + 1), String(repeating: "1", count: megabyte), "a == B64\"" + long,
      String(repeating: "a.", count: megabyte / 2), String(repeating: "[", count: megabyte),
      String(repeating: "1-1-1-", count: megabyte / 6), String(repeating: " ", count: megabyte),
      String(repeating: "é", count: megabyte / 2), "a IN {" + String(repeating: "1,", count: megabyte / 2),
      String(repeating: "\\u", count: megabyte / 2), String(repeating: "T1:", count: megabyte / 3),
    ] {
      let error = #expect(throws: QueryError.self) { try ParsedQuery(parsing: text) }
      #expect((error?.description.utf8.count ?? .max) < 1000)
    }
  }

  @Test("a hundred thousand alternatives become one look-up") func manyAlternatives() throws {
    let schema = QuerySchema(
      Schema([ObjectSchema(className: "P", primaryKey: "id", properties: [Property(name: "id", type: .int)])]))
    let source = MemorySource(schema: schema.schema)
    for id in 0..<50 { source.add("P", ["id": .int(Int64(id * 1_000_003))]) }
    let count = 100_000
    let text = (0..<count).map { "id == $\($0)" }.joined(separator: " or ")
    let arguments = (0..<count).map { QueryArgument.value(.int(Int64($0 * 7))) }
    let plan = try QueryPlan(ParsedQuery(parsing: text), className: "P", schema: schema, arguments: arguments)
    let expected = (0..<50).filter { $0 * 1_000_003 % 7 == 0 && $0 * 1_000_003 / 7 < count }.count
    #expect(try plan.count(in: source) == expected)
    #expect(try plan.explain().contains("id one of 100000 integers"))
  }
}
