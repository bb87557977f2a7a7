import Testing

@testable import GraphQL

@Suite struct ParserTests {
  @Test(
    "a text that is no document is refused with the place and what was expected",
    arguments: [
      ("", "1:1: Syntax error: expected a definition, found the end of the document."),
      ("{", "1:2: Syntax error: expected a name, found the end of the document."),
      ("{ dog { name ", "1:14: Syntax error: expected a name, found the end of the document."),
      ("\n  query A(", "2:11: Syntax error: expected \"$\", found the end of the document."),
      ("{ a(b: $) }", "1:9: Syntax error: expected a name, found \")\"."),
      ("{ ...on }", "1:9: Syntax error: expected a name, found \"}\"."),
      ("fragment on on Dog { a }", "1:10: Syntax error: expected the name of a fragment, found \"on\"."),
      ("notAnOperation { a }", "1:1: Syntax error: expected a definition, found \"notAnOperation\"."),
      ("query ($a: Int = $b) { a }", "1:18: Syntax error: a constant value holds no variable, found \"$\"."),
      ("{ a(b: \"x) }", "1:13: Syntax error: the string is not closed."),
      ("{ a(b: \"x\n\") }", "1:10: Syntax error: the string is not closed on its line."),
      ("{ a(b: \"\"\"x\") }", "1:16: Syntax error: the block string is not closed."),
      ("{ a(b: \"\\z\") }", "1:9: Syntax error: unknown escape before \"z\"."),
      (
        "{ a(b: \"\\u{110000}\") }",
        "1:9: Syntax error: \\u{11000 begins no Unicode escape: write \\u00e9 or \\u{1F600}."
      ),
      ("{ a(b: \"\\uD83D\") }", "1:9: Syntax error: \\uD83D begins no Unicode escape: write \\u00e9 or \\u{1F600}."),
      ("{ a(b: 01) }", "1:9: Syntax error: a number does not begin with 0 and another digit."),
      ("{ a(b: 1.) }", "1:10: Syntax error: expected a digit, found \")\"."),
      ("{ a(b: 1a) }", "1:9: Syntax error: expected the number to end before \"a\"."),
      ("{ a(b: -) }", "1:9: Syntax error: expected a digit, found \")\"."),
      ("{ a ? }", "1:5: Syntax error: unexpected character \"?\"."),
      ("{ a(b: 'x') }", "1:8: Syntax error: unexpected character \"'\"; did you mean a double quote (\")?"),
      ("{ a .. }", "1:5: Syntax error: unexpected character \".\"."),
      ("{ a \u{7} }", "1:5: Syntax error: unexpected character U+0007."),
      ("{ é }", "1:3: Syntax error: unexpected character U+00E9."),
      ("# é\r\n{ a(b: \"😀\" ? }", "2:12: Syntax error: unexpected character \"?\"."),
      ("\"text\" { a }", "1:8: Syntax error: a description stands before a keyword, found \"{\"."),
      (
        "extend type A",
        "1:14: Syntax error: expected something that the extension adds, found the end of the document."
      ),
      ("enum E { true }", "1:10: Syntax error: expected a value of the enumeration, found \"true\"."),
      ("directive @d on NOWHERE", "1:17: Syntax error: expected a place for directives, found \"NOWHERE\"."),
      ("type A { }", "1:10: Syntax error: expected a name, found \"}\"."),
    ])
  func syntaxErrors(text: String, error: String) {
    let found = #expect(throws: GraphQLError.self) { try GraphQLDocument(parsing: text) }
    #expect(found?.description == error)
    #expect(found?.code == "GRAPHQL_PARSE_FAILED")
  }

  @Test(
    "values are read as the specification says",
    arguments: [
      ("\"\"", ""), ("\"a\\u00e9\\u{1F600}\\uD83D\\uDE00\"", "aé😀😀"),
      ("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\u{8}\u{C}\n\r\t"),
      ("\"\"\"\"\"\"", ""), ("\"\"\"one line\"\"\"", "one line"), ("\"\"\"a \\\"\"\" b\"\"\"", "a \"\"\" b"),
      (
        "\"\"\"\n    Hello,\n      World!\n\n    Yours,\n      GraphQL.\n  \"\"\"",
        "Hello,\n  World!\n\nYours,\n  GraphQL."
      ),
      ("\"\"\"  first\r\n    second\r    third\"\"\"", "  first\nsecond\nthird"), ("\"\"\"a\\n\"\"\"", "a\\n"),
    ])
  func strings(text: String, value: String) throws {
    guard case .string(let literal) = try ValueLiteral(parsing: text).kind else {
      Issue.record("not a string: \(text)")
      return
    }
    #expect(literal.value == value)
  }

  @Test("commas, comments, white space and a byte order mark change nothing")
  func ignored() throws {
    let one = try GraphQLDocument(parsing: "{a(x:[1,2],y:{z:null}) b}").description
    let two = try GraphQLDocument(parsing: "\u{FEFF}# c\n{,,a (x :[1 2] y: {z:null},)\r\n\tb # d\n}").description
    #expect(one == two)
  }

  @Test("words of the grammar are names where names are expected")
  func contextualWords() throws {
    let text =
      "query query($type: Int) { fragment on: true(input: null, enum: mutation) { ...onward } } fragment onward on on { on }"
    #expect(
      try GraphQLDocument(parsing: text).description.contains("fragment\n  on: true(input: null, enum: mutation)"))
  }

  @Test("descriptions stand before operations, variables and fragments")
  func descriptions() throws {
    let text =
      "\"An operation\" query A(\"a variable\" $a: Int) { a(x: $a) ...F } \"\"\"a fragment\"\"\" fragment F on Query { a }"
    let document = try GraphQLDocument(parsing: text)
    #expect(document.operations[0].description?.value == "An operation")
    #expect(document.operations[0].variables[0].description?.value == "a variable")
    #expect(document.fragments[0].description?.value == "a fragment")
  }

  @Test("bytes that are not UTF-8 are refused")
  func invalidUTF8() {
    #expect(throws: GraphQLError.self) { try GraphQLDocument(parsing: [0x7B, 0x61, 0xFF, 0x7D]) }
  }
}
