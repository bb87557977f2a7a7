import GraphQLTestSupport
import TestKit
import Testing

@testable import GraphQL

/// No bytes make the parser or validation trap or hang; every refusal has a place within the text.
@Suite struct ParserFuzzTests {
  @Test("damaged documents give a document or an error", arguments: Seeds.some(40))
  func damaged(seed: UInt64) throws {
    var schemas = SchemaGenerator(seed: seed)
    let sdl = schemas.text()
    let schema = try GraphQLSchema(parsing: sdl)
    var documents = DocumentGenerator(schema: schema, seed: seed)
    var random = SeededGenerator(seed: seed)
    for index in 0..<50 {
      let text = index % 10 == 9 ? sdl : documents.document(changes: 0).text
      check(Damage.random(of: Array(text.utf8), using: &random), schema)
    }
  }

  @Test("random tokens give a document or an error", arguments: Seeds.some(40))
  func soup(seed: UInt64) throws {
    let pieces = [
      "{", "}", "(", ")", "[", "]", "...", ":", "=", "!", "$", "@", "|", "&", "\"", "\"\"\"", "\\", "\\u{", "0", "-",
      "1e",
      ".", "a", "on", "fragment", "query", "type", "extend", "schema", "input", "directive", "implements", "repeatable",
      "\n", "\r", "#", "é", "\u{FEFF}", "\0", " ", ",", "null", "true",
    ]
    let schema = try GraphQLSchema(parsing: DogSchema.text)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<100 {
      let text = (0..<Int.random(in: 0..<30, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      check(Array(text.joined(separator: random.oneIn(2) ? " " : "").utf8), schema)
    }
  }

  private func check(_ bytes: [UInt8], _ schema: GraphQLSchema) {
    do {
      let document = try GraphQLDocument(parsing: bytes)
      for error in document.validate(against: schema) { #expect(error.locations.allSatisfy { $0.line > 0 }) }
      _ = try? GraphQLSchema(document)
    } catch {
      let lines = bytes.filter { $0 == 0x0A || $0 == 0x0D }.count + 1
      #expect(error.locations.allSatisfy { $0.line <= lines && $0.column <= bytes.count + 1 })
    }
  }
}
