import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import TestKit
import Testing

/// Predicates about one object by its own values, and the lookups that stand for them.
@Suite("Filters of single objects") struct ObjectFilterTests {
  private static let person = ObjectSchema(
    className: "Person",
    properties: [
      Property(name: "name", type: .string, isOptional: true), Property(name: "age", type: .int, isOptional: true),
      Property(name: "height", type: .double, isOptional: true), Property(name: "active", type: .bool),
      Property(name: "boss", type: .object, objectClassName: "Person", isOptional: true),
      Property(name: "tags", type: .string, collection: .list),
    ])

  private func filter(_ text: String, _ arguments: [QueryArgument] = []) throws -> ObjectFilter? {
    let schema = QuerySchema(Schema([Self.person]))
    let query = try ParsedQuery(parsing: text)
    return ObjectFilter(try QueryPlan(query, className: "Person", schema: schema, arguments: arguments))
  }

  @Test(
    "there is none for a plan that follows links", arguments: ["boss.age > 3", "boss == null", "@links.@count == 0"])
  func links(_ text: String) throws {
    #expect(try filter(text) == nil)
  }

  @Test("collections of values are the object's own") func collections() throws {
    let filter = try #require(try filter("tags == 'a' AND tags.@count == 2"))
    func object(_ tags: [Value]) -> ObjectValues {
      ObjectValues([.null, .null, .null, .bool(true), .null, .list(tags)], of: Self.person)
    }
    #expect(try filter.holds(for: object(["b", "a"])))
    #expect(try !filter.holds(for: object(["a"])))
    #expect(try !filter.holds(for: ObjectValues([], of: Self.person)))
  }

  private static func age(_ test: PropertyLookup.Test) -> PropertyLookup { PropertyLookup(property: 1, test) }

  @Test(
    "the most selective of conditions joined by AND stands for all, each of those joined by OR for itself",
    arguments: [
      ("active == true AND name == 'Ada'", [PropertyLookup(property: 0, .equal(.bytes(Array("Ada".utf8))))]),
      ("age > 3 AND name BEGINSWITH 'A'", [PropertyLookup(property: 0, .prefix([65]))]),
      ("name ==[c] 'É'", [PropertyLookup(property: 0, foldsCase: true, .equal(.bytes(Array("é".utf8))))]),
      ("age == 3 OR age == null", [age(.equal(.int(3))), age(.equal(.null))]),
      ("age == 3 OR name == 'A'", [age(.equal(.int(3))), PropertyLookup(property: 0, .equal(.bytes([65])))]),
      (
        "(age == 1 OR age == 2) AND (name == 'A' OR name CONTAINS 'b')", [age(.equal(.int(1))), age(.equal(.int(2)))]
      ),
      ("NOT (name != 'A' OR age != 3)", [PropertyLookup(property: 0, .equal(.bytes([65])))]),
      (
        "height > 1 AND height <= 2",
        [
          PropertyLookup(
            property: 2,
            .range(
              lower: .init(.double(1.0.nextUp), isInclusive: true), upper: .init(.double(2), isInclusive: true)))
        ]
      ),
      ("FALSEPREDICATE", []), ("TRUEPREDICATE", nil), ("name == 'A' OR name CONTAINS 'b'", nil),
      ("NOT name == 'A'", nil), ("age == age", nil), ("name BEGINSWITH ''", nil),
    ] as [(String, [PropertyLookup]?)])
  func lookups(_ text: String, _ expected: [PropertyLookup]?) throws {
    let filter = try #require(try filter(text))
    #expect(filter.lookups.map { Set($0) } == expected.map { Set($0) })
  }

  @Test("filters agree with plans, and some lookup finds each match") func law() throws {
    let schema = try #require(VectorFile.all().first).schema
    var (accepted, indexed) = (0, 0)
    for seed in Seeds.some(40) {
      var random = SeededGenerator(seed: seed)
      let source = MemorySource(schema: schema.schema)
      DataGenerator.fill(source, count: 7, using: &random)
      var generator = QueryGenerator(schema.schema, random: random)
      for number in 0..<60 {
        let className = ["Person", "Dog", "Clinic", "Product", "Line", "Order"][number % 6]
        let query = generator.query(className)
        guard let plan = try? QueryPlan(query, className: className, schema: schema),
          let filter = ObjectFilter(plan), let table = source.memoryTable(className)
        else { continue }
        accepted += 1
        let lookups = filter.lookups
        if lookups != nil { indexed += 1 }
        for (position, row) in table.rows.enumerated() {
          let holds = try filter.holds(for: ObjectValues(row, of: table.schema))
          let expected = try plan.matches(table.rowKey(position), in: source)
          #expect(holds == expected, "SEED=\(seed) \(className): \(query)")
          let isFound = lookups?.contains { $0.finds(row[$0.property]) } ?? true
          #expect(isFound || !holds, "SEED=\(seed) \(className): \(query)")
          if holds != expected || holds && !isFound { return }
        }
      }
    }
    #expect(accepted > 500)
    #expect(indexed > 100)
  }

  @Test("keys are equal for values that queries call equal, and nothing stands for NaN") func keys() {
    #expect(LookupKey(.double(-0.0)) == LookupKey(.double(0)))
    #expect(LookupKey(.float(0.5)) == LookupKey(.double(0.5)))
    #expect(LookupKey(.string("é")) != LookupKey(.string("e\u{301}")))
    #expect(LookupKey(.string("É"), foldsCase: true) == LookupKey(.string("é"), foldsCase: true))
    #expect(LookupKey(.data([0xC3, 0x89]), foldsCase: true) != LookupKey(.data([0xC3, 0xA9]), foldsCase: true))
    #expect(LookupKey(.double(.nan)) == nil)
    #expect(LookupKey(.float(.nan)) == nil)
    #expect(LookupKey(.decimal128(.nan)) == nil)
    #expect(LookupKey(.list([])) == nil)
  }

  @Test("keys come in the order of queries within a kind, and in some order otherwise") func order() {
    let ascending: [LookupKey] = [
      .null, .bool(false), .bool(true), .int(-1), .int(2), .double(-.infinity), .double(0), .decimal(1), .decimal(2),
      .date(Timestamp(seconds: -1)), .date(Timestamp(seconds: 0)), .bytes([]), .bytes([1]), .bytes([1, 0]), .bytes([2]),
    ]
    for (left, one) in ascending.enumerated() {
      for (right, other) in ascending.enumerated() {
        #expect((one < other) == (left < right), "\(one) \(other)")
      }
    }
  }
}
