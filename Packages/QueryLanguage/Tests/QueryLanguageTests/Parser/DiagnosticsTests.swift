import DataModel
import QueryLanguage
import QueryLanguageTestSupport
import Testing

/// Errors as a reader sees them.
@Suite("Diagnostics") struct DiagnosticsTests {
  private func message(_ text: String, dialect: QueryDialect = .realm, arguments: [QueryArgument] = []) throws -> String
  {
    let schema = try #require(VectorFile.all().first).schema
    do {
      let query =
        try dialect == .nspredicate
        ? ParsedQuery(format: text, arguments: arguments) : ParsedQuery(parsing: text, dialect: dialect)
      _ = try QueryPlan(query, className: "Person", schema: schema, arguments: arguments)
    } catch { return error.description }
    return "no error"
  }

  @Test("name line, column and place with a caret") func caret() throws {
    #expect(
      try message("age > 18\n  AND nmae == 'Ada'") == """
        line 2, column 7: Person has no property 'nmae'
            AND nmae == 'Ada'
                ^
        hint: did you mean 'name'?
        """)
  }

  @Test("count columns in characters") func columns() throws {
    #expect(try message("name == 'Éé山' AND ?").hasPrefix("line 1, column 19: unexpected '?'"))
  }

  @Test(
    "say what was meant",
    arguments: [
      ("age > 18 SORT(name)", "SORT(name ASC)"), ("age === 1", "equality is == or ="), ("a & b", "write && or AND"),
      ("age IN (1, 2)", "lists use braces"), ("age+1 == 2", "write age + 1"), ("Not age == 1", "not or NOT"),
      ("SUBQUERY(dogs, $d, $d.age > 2) > 1", "SUBQUERY(dogs, $d, $d.age > 2).@count"), ("age-6 == 18", "write age - 6"),
      ("token == 'x'", "use uuid(…)"), ("active == 1", "use true or false"), ("born == '2017'", "use 2017-12-04"),
      ("dogs == null", "use dogs.@count == 0"), ("favourite == obj('Dogs', 'Rex')", "did you mean 'Dog'?"),
      ("age In {1}", "in or IN"), ("age", "expected a comparison operator after 'age', found the end"),
      ("name CONTAINS 5", "it takes strings and binaries"),
      ("age == 99999999999999999999", "does not fit into 64 bits"),
      ("dogs.@MAX.age > 1", "write @max"), ("name == %@", "arguments are $0"), ("LIMIT(1)", "expected a"),
    ])
  func hints(text: String, part: String) throws {
    let found = try message(text)
    #expect(found.contains(part), "\(found)")
  }

  @Test("never show values of arguments") func secrets() throws {
    #expect(try !message("age == $0", arguments: ["secret"]).contains("secret"))
    #expect(
      try !message("age > %@ AND name == %@", dialect: .nspredicate, arguments: ["secret", 5]).contains("secret"))
  }

  @Test("count arguments") func arguments() throws {
    #expect(try message("age == $2", arguments: [1]).contains("uses argument $2 and was given 1"))
    #expect(
      try message("age > %@", dialect: .nspredicate, arguments: [1, 2]).contains("1 specifiers and was given 2"))
  }
}

/// Spellings that only some dialects have.
@Suite("Dialects") struct DialectTests {
  @Test("the legacy dialect reads word operators in any letter case") func legacy() throws {
    let text = "Not age In {1} And Any tags == 'a' Or active == True"
    #expect(
      try ParsedQuery(parsing: text, dialect: .legacySync).description
        == "!(age IN {1}) and ANY tags == \"a\" or active == true")
    #expect(throws: QueryError.self) { try ParsedQuery(parsing: text) }
  }

  @Test("every text of RealmSwift's type-safe builder is read")
  func builderTexts() throws {
    let schema = try #require(VectorFile.all().first).schema
    let cases: [(String, [QueryArgument])] = [
      ("(age == %@)", [1]), ("(age IN %@)", [[1, 2]]), ("((age >= %@) && (age < %@))", [1, 5]),
      ("(age BETWEEN {%@, %@})", [1, 5]), ("(name CONTAINS[cd] %@)", ["a"]), ("(name ==[c] %@)", ["a"]),
      ("(name LIKE[c] %@)", ["a*"]), ("active == true", []), ("(NOT age == %@)", [1]),
      ("NOT ((age == %@) && (name != %@))", [1, "a"]), ("(ANY nums == %@)", [1]), ("(ANY dogs.name == %@)", ["a"]),
      ("(%@ IN nums)", [1]), ("(ANY nums IN %@)", [[1, 2]]), ("((nums.@min >= %@) && (nums.@max <= %@))", [1, 2]),
      ("(dogs.@count > %@)", [1]), ("(dogs.@sum.age > %@)", [1]), ("(meta[%@] == %@)", ["desk", 1]),
      ("(ANY meta.@allKeys == %@)", ["desk"]), ("(ANY meta.@allValues == %@)", [1]),
      ("(extra[%@] == %@)", ["k", 1]), ("(extra[%@][%K] == %@)", ["k", "#any", 1]),
      ("(SUBQUERY(dogs, $col1, ($col1.age == %@)).@count > %@)", [1, 0]), ("(manager == %@)", [nil]),
    ]
    for (text, arguments) in cases {
      let query = try ParsedQuery(format: text, arguments: arguments)
      _ = try QueryPlan(query, className: "Person", schema: schema, arguments: arguments)
    }
    let shape = QueryArgument.shape(.circle(GeoPoint(longitude: 12.5, latitude: 55.7), radius: 0.1))
    let geo = try ParsedQuery(format: "(location IN %@)", arguments: [shape])
    let plan = try QueryPlan(geo, className: "Clinic", schema: schema, arguments: [shape])
    #expect(plan.text == "location GEOWITHIN geoCircle([12.5, 55.7], 0.1)")
    #expect(try plan.count(in: #require(VectorFile.all().first).source()) == 2)
  }

  @Test("[d] overlooks diacritics") func diacritics() throws {
    let file = try #require(VectorFile.all().first)
    func count(_ text: String) throws -> Int {
      try QueryPlan(ParsedQuery(format: text), className: "Person", schema: file.schema).count(in: file.source())
    }
    #expect(try count("name ==[d] 'Chloe'") == 1)
    #expect(try count("name ==[cd] 'emile'") == 1)
    #expect(try count("name CONTAINS[d] 'e'") == 5)
  }
}
