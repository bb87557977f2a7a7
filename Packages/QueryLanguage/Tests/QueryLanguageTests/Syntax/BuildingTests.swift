import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import Testing

@Suite("Trees built in code") struct BuildingTests {
  @Test("equal those that are read") func equalsParsed() throws {
    let adults = QueryExpression.property("age").compared(.greaterOrEqual, to: .value(18))
    let named = QueryExpression.property("dogs.name", quantifier: .any).compared(.equal, to: .value("Rex"))
    let pairs: [(QueryPredicate, String)] = [
      (adults && !named, "age >= 18 and !(ANY dogs.name == 'Rex')"),
      (adults || named || adults, "age >= 18 or ANY dogs.name == 'Rex' or age >= 18"),
      ((adults || named) && adults, "(age >= 18 or ANY dogs.name == 'Rex') and age >= 18"),
      (QueryExpression.property("age").compared(.in, to: .value(.list([1, 2]))), "age IN {1, 2}"),
      (QueryExpression.property("age").between(1, 5), "age BETWEEN {1, 5}"),
      (QueryExpression.aggregate("dogs", .sum, of: "age").compared(.greater, to: .value(7)), "dogs.@sum.age > 7"),
      (
        QueryExpression.count(
          "dogs", as: "$d", where: QueryExpression.property("$d.age").compared(.greater, to: .value(2))
        )
        .compared(.equal, to: .value(1)), "SUBQUERY(dogs, $d, $d.age > 2).@count == 1"
      ),
      (QueryExpression.property("dogs", suffix: .count).compared(.equal, to: .value(0)), "dogs.@count == 0"),
    ]
    for (built, text) in pairs { #expect(try ParsedQuery(parsing: text) == ParsedQuery(built), "\(text)") }
  }

  @Test("explain names the access, the conditions by cost and the clauses") func explains() throws {
    let file = try #require(VectorFile.all().first)
    func explain(_ text: String) throws -> String {
      try QueryPlan(ParsedQuery(parsing: text), className: "Person", schema: file.schema).explain(in: file.source())
    }
    let scan = try explain("name BEGINSWITH 'A' AND height > 1.5 SORT(age DESC) LIMIT(3)")
    #expect(
      scan == """
        query    name BEGINSWITH "A" and height > 1.5 SORT(age DESC) LIMIT(3)
        access   index over Person.name, 1 candidates
        filter   all of
        filter     name beginsWith of 1 bytes (column, cost 1)
        filter     height in 1.5000000000000002 ... inf (column, cost 3)
        sort     age DESC (heap of 3)
        limit    3
        """)
    #expect(try explain("id == 5").contains("index over Person.id, 1 candidates"))
    #expect(try explain("manager.age > 5").contains("through the link to Person"))
    #expect(try explain("NOT nums == 1").contains("scan of Person, 10 objects in 1 clusters"))
  }
}
