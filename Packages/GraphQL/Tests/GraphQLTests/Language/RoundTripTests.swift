import GraphQLTestSupport
import TestKit
import Testing

@testable import GraphQL

/// Laws of parser and printer over generated texts.
@Suite struct RoundTripTests {
  /// The tokens of a text by kind and value, without what printing may leave out.
  static func tokens(_ text: String) throws -> [String] {
    var lexer = Lexer(Array(text.utf8))
    var found: [String] = []
    while true {
      let token = try lexer.next()
      let bytes = lexer.bytes[Int(token.start)..<Int(token.end)]
      switch token.kind {
      case .end: return found
      case .string: found.append("s:" + StringDecoding.decode(bytes.dropFirst().dropLast(), of: lexer.bytes))
      case .blockString: found.append("s:" + StringDecoding.decodeBlock(bytes.dropFirst(3).dropLast(3)))
      default: found.append(String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  @Test("a printed document has the tokens of the text, and prints the same again", arguments: Seeds.some(60))
  func documents(seed: UInt64) throws {
    var schemas = SchemaGenerator(seed: seed)
    let sdl = schemas.text()
    let schema = try GraphQLSchema(parsing: sdl)
    #expect(schema.description == sdl)
    var generator = DocumentGenerator(schema: schema, seed: seed)
    for changes in 0..<60 {
      let text = generator.document(changes: changes % 3).text
      guard let document = try? GraphQLDocument(parsing: text) else { continue }
      let printed = document.description
      #expect(try GraphQLDocument(parsing: printed).description == printed, "seed \(seed)")
      var original = try Self.tokens(text)
      if original.first == "query", original.dropFirst().first == "{" { original.removeFirst() }
      #expect(try Self.tokens(printed) == original, "seed \(seed)")
    }
  }

  @Test("every text is the value of the string that is printed for it", arguments: Seeds.some(400))
  func strings(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var text = HostileText.random(using: &random)
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      text += ["\n", "  ", "\"\"\"", "\"", "\\", "a", "\t", "\r", " \n"].randomElement(using: &random) ?? ""
    }
    for isBlock in [false, true] {
      var printer = Printer()
      printer.string(StringLiteral(text, isBlock: isBlock))
      guard case .string(let read) = try ValueLiteral(parsing: printer.text).kind else {
        Issue.record("seed \(seed) is not read as a string")
        return
      }
      #expect(Array(read.value.utf8) == Array(text.utf8), "seed \(seed), block \(isBlock)")
    }
  }

  @Test("definitions of every kind print in canonical form")
  func definitions() throws {
    let text = """
      "A schema"
      schema @tag(name: "a") {
        query: Q
      }

      extend schema @tag(name: "b")

      extend type A implements B & C @d {
        "one"
        a(
          "two"
          x: Int = 1 @d
          y: [String!]! = ["a"]
        ): Int @deprecated
      }

      union U @d = A | B

      extend union U = C

      enum E {
        "three"
        A @d
        B
      }

      input I @oneOf {
        a: Int
        b: E
      }

      interface B implements C {
        a: Int
      }

      scalar S @specifiedBy(url: "https://example.org")

      directive @d(a: Int = 3) repeatable on FIELD | OBJECT
      """
    #expect(try GraphQLDocument(parsing: text).description == text)
  }
}
