import ByteCoding
import GraphQLTestSupport
import TestKit
import Testing

@testable import GraphQL

/// Rows of numbers answered by columns.
private struct Rows: ObjectBatch {
  var numbers: [Int]
  var journal: Journal
  var typeNames: [String]?

  var count: Int { numbers.count }
  var types: BatchTypes { typeNames.map { .each($0) } ?? .all("Item") }

  func subset(_ positions: [Int]) -> any ObjectBatch {
    let names = positions.map { typeNames?[$0] ?? "Item" }
    return Rows(numbers: positions.map { numbers[$0] }, journal: journal, typeNames: names)
  }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    journal.add("\(field.parentType).\(field.name) x\(count)")
    switch field.name {
    case "number": return .leaves(NumberColumn(numbers: numbers))
    case "words": return .leaves(WordColumn(numbers: numbers))
    case "next":
      return .objects(
        Rows(numbers: numbers.filter { $0 % 3 != 0 }.map { $0 + 1 }, journal: journal),
        .optional(places { $0 % 3 != 0 }))
    case "children":
      var offsets = [0]
      for number in numbers { offsets.append((offsets.last ?? 0) + abs(number) % 3) }
      let children = numbers.flatMap { number in (0..<(abs(number) % 3)).map { number * 10 + $0 } }
      return .objects(Rows(numbers: children, journal: journal), .lists(offsets))
    case "self": return .objects(Rows(numbers: numbers, journal: journal), .one)
    case "kinds":
      let names = numbers.map { $0 % 2 == 0 ? "Item" : "Other" }
      return .objects(Rows(numbers: numbers, journal: journal, typeNames: names), .one)
    default: throw Boom()
    }
  }

  private func places(_ isPresent: (Int) -> Bool) -> [Int] {
    var next = 0
    return numbers.map { number in
      guard isPresent(number) else { return -1 }
      next += 1
      return next - 1
    }
  }
}

private final class NumberColumn: LeafColumn {
  let numbers: [Int]
  init(numbers: [Int]) { self.numbers = numbers }

  func write(_ position: Int, to writer: inout JSONWriter) throws -> Bool {
    let number = numbers[position]
    if number % 11 == 10 {
      writer.raw("[half written")
      throw Boom()
    }
    if number % 7 == 6 {
      writer.writeNull()
      return false
    }
    writer.write(Int64(number))
    return true
  }
}

private final class WordColumn: LeafColumn {
  let numbers: [Int]
  init(numbers: [Int]) { self.numbers = numbers }

  func write(_ position: Int, to writer: inout JSONWriter) -> Bool {
    writer.raw("[")
    writer.write("n\(numbers[position])\n")
    writer.raw("]")
    return true
  }
}

/// The same rows, one object at a time.
private struct Row: GraphQLObject {
  var number: Int
  var typeName = "Item"

  func resolve(_ field: FieldCall) throws -> ResolvedValue {
    switch field.name {
    case "number":
      if number % 11 == 10 { throw Boom() }
      return number % 7 == 6 ? .null : .int(Int64(number))
    case "words": return .list([.string("n\(number)\n")])
    case "next": return number % 3 != 0 ? .object(Row(number: number + 1)) : .null
    case "children": return .list((0..<(abs(number) % 3)).map { .object(Row(number: number * 10 + $0)) })
    case "self": return .object(self)
    case "kinds": return .object(Row(number: number, typeName: number % 2 == 0 ? "Item" : "Other"))
    default: throw Boom()
    }
  }
}

@Suite struct BatchTests {
  private let text = """
    interface Any { number: Int }
    type Item implements Any { number: Int sure: Int! words: [String!] next: Item children: [Item!] self: Item! kinds: Any fails: Int }
    type Other implements Any { number: Int words: [String!] }
    type Query { items: [Item] }
    """

  private struct BatchRoot: ObjectBatch {
    var rows: Rows
    var count: Int { 1 }
    var types: BatchTypes { .all("Query") }
    func resolve(_ field: FieldCall) -> FieldColumn { .objects(rows, .lists([0, rows.count])) }
  }

  private func responses(_ document: String, _ numbers: [Int]) throws -> (
    columns: GraphQLResponse, objects: GraphQLResponse, journal: Journal
  ) {
    let service = GraphQLService(schema: try GraphQLSchema(parsing: text))
    let operation = try service.prepare(GraphQLRequest(document))
    let journal = Journal()
    let columns = operation.executeSynchronously(BatchRoot(rows: Rows(numbers: numbers, journal: journal)))
    let objects = operation.executeSynchronously(
      .object(StubObject("Query", ["items": .list(numbers.map { .object(Row(number: $0)) })])))
    return (columns, objects, journal)
  }

  @Test("a field of many objects is asked for once")
  func calls() throws {
    let (columns, _, journal) = try responses("{ items { number words next { number } } }", Array(0..<1_000))
    #expect(journal.all == ["Item.number x1000", "Item.words x1000", "Item.next x1000", "Item.number x666"])
    #expect(columns.errors.count == 101)
  }

  @Test("answers by columns equal answers by objects", arguments: Seeds.some(200))
  func equality(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let numbers = (0..<Int.random(in: 0..<8, using: &random)).map { _ in Int.random(in: -20..<80, using: &random) }
    let (columns, objects, _) = try responses(document(&random), numbers)
    #expect(columns.text == objects.text, "seed \(seed)")
  }

  private func document(_ random: inout SeededGenerator) -> String { "{ items \(selection(&random, 0)) }" }

  private func selection(_ random: inout SeededGenerator, _ depth: Int) -> String {
    var text = "{ "
    for index in 0..<Int.random(in: 1...3, using: &random) {
      let key = "k\(depth)\(index)"
      switch Int.random(in: 0..<(depth > 2 ? 3 : 8), using: &random) {
      case 0: text += "\(key): number "
      case 1: text += "\(key): words "
      case 2: text += "__typename "
      case 3: text += "\(key): next \(selection(&random, depth + 1)) "
      case 4: text += "\(key): children \(selection(&random, depth + 1)) "
      case 5: text += "\(key): self \(selection(&random, depth + 1)) "
      case 6: text += "\(key): fails "
      default:
        text +=
          "\(key): kinds { __typename number ... on Item \(selection(&random, depth + 1)) ... on Other { words } } "
      }
    }
    return text + "}"
  }

  @Test(
    "a column of another length than its batch is an error of the field",
    arguments: [
      FieldColumn.values([]), .objects(Rows(numbers: [], journal: Journal()), .one),
      .objects(Rows(numbers: [1], journal: Journal()), .optional([5])),
      .objects(Rows(numbers: [1], journal: Journal()), .lists([0])),
      .objects(Rows(numbers: [1], journal: Journal()), .lists([1, 0])),
      .objects(Rows(numbers: [1], journal: Journal()), .lists([0, 2])),
      .objects(Rows(numbers: [1], journal: Journal()), .lists([-1, 1])),
      .objects(Rows(numbers: [1], journal: Journal()), .shapes([.object(3)])),
      .objects(Rows(numbers: [1], journal: Journal()), .one),
    ])
  func misfits(column: FieldColumn) throws {
    struct Root: ObjectBatch {
      var column: FieldColumn
      var count: Int { 1 }
      var types: BatchTypes { .all("Query") }
      func resolve(_ field: FieldCall) -> FieldColumn { column }
    }
    let service = GraphQLService(schema: try GraphQLSchema(parsing: text))
    let response = try service.prepare(GraphQLRequest("{ items { number } }")).executeSynchronously(
      Root(column: column))
    #expect(response.errors.count == 1)
    #expect(response.data == Array(#"{"items":null}"#.utf8))
  }
}
