import DataModel
import FoundationEssentials
import QueryLanguage
import TestKit
import Testing

@testable import SubscriptionMatching

/// One table per kind of index: a condition, and of the values of the pool those that it lets in.
///
/// The third column says whether the condition stands in an index: then values that no lookup finds are never evaluated.
@Suite("Kinds of indexes") struct IndexKindTests {
  private struct Row: CustomStringConvertible {
    var text: String
    var arguments: [QueryArgument] = []
    var property: String
    var values: [Value]
    var inside: [Bool]
    var isIndexed = true
    var description: String { text }
  }

  private static let composed: Value = .string("é")
  private static let decomposed: Value = .string("e\u{301}")
  private static let long = String(repeating: "x", count: 200)

  private static func decimal(_ text: String) -> Value { Decimal128(validating: text).map { .decimal128($0) } ?? .null }

  private static let equalities: [Row] = [
    Row(text: "int == 3", property: "int", values: [.int(3), .int(4), .null], inside: [true, false, false]),
    Row(text: "int == 3.0", property: "int", values: [.int(3), .int(4), .null], inside: [true, false, false]),
    Row(text: "int == 2.5", property: "int", values: [.int(2), .int(3), .null], inside: [false, false, false]),
    Row(text: "int == null", property: "int", values: [.int(0), .null], inside: [false, true]),
    Row(
      text: "int == $0", arguments: [.value(.double(0x1p53))], property: "int",
      values: [.int(1 << 53), .int(1 << 53 + 1)], inside: [true, false]),
    Row(
      text: "double == 0.0", property: "double", values: [.double(-0.0), .double(0), .double(.nan), .null],
      inside: [true, true, false, false]),
    Row(
      text: "double == nan", property: "double", values: [.double(.nan), .double(0), .null],
      inside: [true, false, false], isIndexed: false),
    Row(text: "double == 1", property: "double", values: [.double(1), .double(2)], inside: [true, false]),
    Row(
      text: "float == 0.1", property: "float", values: [.float(0.1), .float(0.2), .float(.nan)],
      inside: [true, false, false]),
    Row(
      text: "decimal == 1", property: "decimal", values: [decimal("1"), decimal("1.00"), decimal("2"), .null],
      inside: [true, true, false, false]),
    Row(
      text: "decimal == 0.1", property: "decimal", values: [decimal("0.1"), decimal("0.10"), decimal("0.11")],
      inside: [true, true, false]),
    Row(
      text: "decimal == 0", property: "decimal", values: [decimal("-0"), decimal("0E+3"), decimal("nan")],
      inside: [true, true, false]),
    Row(
      text: "text == $0", arguments: [.value(composed)], property: "text", values: [composed, decomposed],
      inside: [true, false]),
    Row(
      text: "text ==[c] 'É'", property: "text", values: [.string("é"), .string("É"), .string("e"), .null],
      inside: [true, true, false, false]),
    Row(
      text: "text == $0", arguments: [.value(.string(long))], property: "text",
      values: [.string(long), .string(long + "x")], inside: [true, false]),
    Row(text: "text == ''", property: "text", values: [.string(""), .null], inside: [true, false]),
    Row(
      text: "bool == true", property: "bool", values: [.bool(true), .bool(false), .null], inside: [true, false, false]),
    Row(
      text: "data ==[c] binary('A')", property: "data", values: [.data([65]), .data([97]), .data([66])],
      inside: [true, true, false]),
    Row(
      text: "date == T0:1", property: "date",
      values: [.timestamp(Timestamp(seconds: 0, nanoseconds: 1)), .timestamp(Timestamp(seconds: 0))],
      inside: [true, false]),
    Row(
      text: "oid == oid(000000000000000000000000)", property: "oid", values: [.objectId(.zero), .null],
      inside: [true, false]),
    Row(
      text: "mixed == 'a'", property: "mixed", values: [.string("a"), .data([97]), .int(1), .null],
      inside: [true, false, false, false]),
    Row(
      text: "mixed == 1", property: "mixed",
      values: [.int(1), .double(1), .float(1), decimal("1.0"), .bool(true), .string("1")],
      inside: [true, true, true, true, false, false], isIndexed: false),
    Row(
      text: "NOT int != 3", property: "int", values: [.int(3), .int(4), .null], inside: [true, false, false]),
    Row(
      text: "int != 3", property: "int", values: [.int(3), .int(4), .null], inside: [false, true, true],
      isIndexed: false),
  ]

  private static let lists: [Row] = [
    Row(
      text: "int IN {1, 2.0, null}", property: "int", values: [.int(1), .int(2), .null, .int(3)],
      inside: [true, true, true, false]),
    Row(text: "int IN {}", property: "int", values: [.int(1), .null], inside: [false, false]),
    Row(
      text: "double IN {0.0, 1}", property: "double", values: [.double(-0.0), .double(1), .double(.nan)],
      inside: [true, true, false]),
    Row(
      text: "double IN {nan, 1}", property: "double", values: [.double(.nan), .double(1), .double(2)],
      inside: [true, true, false], isIndexed: false),
    Row(
      text: "decimal IN $0", arguments: [.list([decimal("1"), decimal("2.50")])], property: "decimal",
      values: [decimal("1.0"), decimal("2.5"), decimal("nan")], inside: [true, true, false]),
    Row(
      text: "decimal IN $0", arguments: [.list([decimal("1"), decimal("nan")])], property: "decimal",
      values: [decimal("1.0"), decimal("nan"), decimal("2")], inside: [true, true, false], isIndexed: false),
    Row(
      text: "text IN {'a', 'b'}", property: "text", values: [.string("a"), .string("b"), .string("A"), .null],
      inside: [true, true, false, false]),
    Row(
      text: "mixed IN {'a', true}", property: "mixed", values: [.string("a"), .bool(true), .int(1), .null],
      inside: [true, true, false, false]),
    Row(
      text: "NOT int IN {1, null}", property: "int", values: [.int(1), .null, .int(2)], inside: [false, false, true],
      isIndexed: false),
  ]

  private static let ranges: [Row] = [
    Row(
      text: "int > 3", property: "int", values: [.int(3), .int(4), .int(.max), .null],
      inside: [false, true, true, false]),
    Row(text: "int > $0", arguments: [.value(.int(.max))], property: "int", values: [.int(.max)], inside: [false]),
    Row(
      text: "int BETWEEN {1, 3}", property: "int", values: [.int(0), .int(1), .int(3), .int(4), .null],
      inside: [false, true, true, false, false]),
    Row(text: "int BETWEEN {3, 1}", property: "int", values: [.int(2)], inside: [false]),
    Row(
      text: "int >= null", property: "int", values: [.int(0), .null], inside: [false, true]),
    Row(
      text: "double < 0.0", property: "double",
      values: [.double(-0.0), .double(-Double.leastNonzeroMagnitude), .double(-.infinity), .double(.nan), .null],
      inside: [false, true, true, false, false]),
    Row(
      text: "double >= 0.0", property: "double", values: [.double(-0.0), .double(.infinity), .double(.nan)],
      inside: [true, true, false]),
    Row(
      text: "double > 1 AND double <= 2", property: "double",
      values: [.double(1), .double(1.5), .double(2), .double(2.5)],
      inside: [false, true, true, false]),
    Row(
      text: "decimal > 1.00", property: "decimal", values: [decimal("1"), decimal("1.01"), decimal("nan"), .null],
      inside: [false, true, false, false]),
    Row(
      text: "2.5 >= decimal", property: "decimal", values: [decimal("2.50"), decimal("2.51"), decimal("-inf")],
      inside: [true, false, true]),
    Row(
      text: "text >= 'b' AND text < 'c'", property: "text",
      values: [.string("a"), .string("b"), .string("bz"), .string("c"), .null],
      inside: [false, true, true, false, false]),
    Row(
      text: "date > T0:0", property: "date",
      values: [.timestamp(Timestamp(seconds: 0)), .timestamp(Timestamp(seconds: 0, nanoseconds: 1)), .null],
      inside: [false, true, false]),
    Row(
      text: "mixed > 'a'", property: "mixed", values: [.string("b"), .string("a"), .int(5), .data([255])],
      inside: [true, false, false, false]),
    Row(
      text: "NOT int > 3", property: "int", values: [.int(3), .int(4), .null], inside: [true, false, true],
      isIndexed: false),
  ]

  private static let prefixes: [Row] = [
    Row(
      text: "text BEGINSWITH 'ab'", property: "text", values: [.string("ab"), .string("abc"), .string("aB"), .null],
      inside: [true, true, false, false]),
    Row(
      text: "text BEGINSWITH[c] 'É'", property: "text", values: [.string("é1"), .string("É"), .string("e"), .null],
      inside: [true, true, false, false]),
    Row(
      text: "text BEGINSWITH $0", arguments: [.value(.string(long))], property: "text",
      values: [.string(long + "1"), .string(String(long.dropLast()))], inside: [true, false]),
    Row(
      text: "data BEGINSWITH binary('a')", property: "data", values: [.data([97, 0]), .data([65])],
      inside: [true, false]),
    Row(
      text: "text BEGINSWITH ''", property: "text", values: [.string(""), .string("a"), .null],
      inside: [true, true, false], isIndexed: false),
    Row(
      text: "text BEGINSWITH null", property: "text", values: [.string("a"), .null], inside: [true, true],
      isIndexed: false),
    Row(
      text: "mixed BEGINSWITH 'a'", property: "mixed", values: [.string("ab"), .data([97]), .int(1)],
      inside: [true, false, false]),
  ]

  @Test("equalities", arguments: equalities) private func equality(_ row: Row) throws { try check(row) }
  @Test("lists of constants", arguments: lists) private func list(_ row: Row) throws { try check(row) }
  @Test("ranges", arguments: ranges) private func range(_ row: Row) throws { try check(row) }
  @Test("prefixes", arguments: prefixes) private func prefix(_ row: Row) throws { try check(row) }

  private func check(_ row: Row) throws {
    var matcher = SubscriptionMatcher<Int>(schema: ValuePool.schema, seed: 1)
    let query = try ParsedQuery(parsing: row.text)
    try matcher.add(query, className: "Thing", arguments: row.arguments, id: 0)
    #expect((matcher.cohorts.first??.lookups != nil) == row.isIndexed)
    let position = try #require(ValuePool.thing.properties.firstIndex { $0.name == row.property })
    for (value, inside) in zip(row.values, row.inside) {
      var object = [Value](repeating: .null, count: ValuePool.thing.properties.count)
      object[0] = .int(1)
      object[position] = value
      let inserted = try matcher.match([
        ObjectChange(className: "Thing", key: .int(1), before: nil, after: object)
      ])
      #expect(inserted.matches.map(\.entered) == (inside ? [[0]] : []), "insertion of \(value)")
      let deleted = try matcher.match([
        ObjectChange(className: "Thing", key: .int(1), before: object, after: nil)
      ])
      #expect(deleted.matches.map(\.left) == (inside ? [[0]] : []), "deletion of \(value)")
    }
  }
}
