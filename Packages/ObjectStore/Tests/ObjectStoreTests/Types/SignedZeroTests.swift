import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore

/// What becomes of a value that replaces an equal one: Realm compares before it writes, so that the old form stays.
@Suite("zeros of both signs, and decimals of any exponent")
struct SignedZeroTests {
  private static let object = ObjectReference(className: "All", key: .int(1))
  private static let negative = -Decimal128()

  private static func double(_ value: Double) -> Payload { .double(value.bitPattern) }
  private static func float(_ value: Float) -> Payload { .float(value.bitPattern) }
  private static func decimal(_ text: String) -> Payload { .decimal128(Decimal128(validating: text) ?? .nan) }

  /// What is there, what is written over it, what is there then; for a field of that type.
  private static let fields: [(type: PayloadType, old: Payload, new: Payload, kept: Bool)] = [
    (.double, double(0), double(-0.0), true), (.double, double(-0.0), double(0), true),
    (.double, double(1), double(-0.0), false), (.double, double(-0.0), double(2), false),
    (.float, float(0), float(-0.0), true), (.float, float(3), float(-0.0), false),
    (.decimal128, .decimal128(Decimal128()), .decimal128(negative), true),
    (.decimal128, .decimal128(negative), .decimal128(Decimal128()), false),
    (.decimal128, decimal("1.0"), decimal("1.00"), false), (.decimal128, decimal("7"), .decimal128(negative), false),
  ]

  /// The same for elements, entries and mixed values.
  private static let values: [(old: Payload, new: Payload, kept: Bool)] = [
    (double(0), double(-0.0), true), (double(-0.0), double(0), true), (double(0), double(1), false),
    (float(0), float(-0.0), true), (.decimal128(Decimal128()), .decimal128(negative), true),
    (decimal("1.0"), decimal("1.00"), true), (decimal("1.0"), decimal("1.1"), false),
    (.int(0), double(-0.0), false), (double(0), .int(0), false), (float(0), double(-0.0), false),
  ]

  private func file() throws -> RealmFile {
    let file = try memoryFile()
    func column(
      _ name: String, _ type: PayloadType?, _ collection: CollectionKind = .single, _ isNullable: Bool = false
    ) -> Instruction {
      .addColumn(AddColumn(table: "All", field: name, type: type, isNullable: isNullable, collection: collection))
    }
    try file.commit([
      .addTable(AddTable(table: "All", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
      column("double", .double), column("float", .float), column("decimal128", .decimal128),
      column("double?", .double, .single, true), column("float?", .float, .single, true),
      column("decimal128?", .decimal128, .single, true),
      column("mixed", nil, .single, true), column("list", nil, .list, true), column("entries", nil, .dictionary, true),
      column("doubles", .double, .list), column("decimals", .decimal128, .list), column("zeros", .double, .set),
      .createObject(CreateObject(object: Self.object)),
    ])
    return file
  }

  private func at(_ field: String, _ path: PathElement...) -> Target {
    Target(object: Self.object, field: field, path: path)
  }
  private func write(_ target: Target, _ payload: Payload, _ prior: UInt32? = nil) -> Instruction {
    .update(Update(target: target, payload: payload, priorSize: prior))
  }

  /// A value with its sign and its exponent, which are nothing to `==`.
  private func form(_ value: Value?) -> String {
    switch value {
    case .double(let value)?: "double \(value)"
    case .float(let value)?: "float \(value)"
    case .decimal128(let value)?: "decimal \(value.high) \(value.low)"
    default: "\(String(describing: value))"
    }
  }

  private func held(_ field: String, _ file: RealmFile) throws -> Value? {
    switch try file.dump().objects["All"]?[.int(1)]?[field] {
    case .value(.list(let elements))?: elements.first
    case .value(let value)?: value
    case .list(let elements)?: if case .value(let value)? = elements.first { value } else { nil }
    case .dictionary(let entries)?: if case .value(let value)? = entries["k"] { value } else { nil }
    default: nil
    }
  }

  @Test("a field", arguments: [false, true])
  func field(isEncoded: Bool) throws {
    let file = try file()
    for row in Self.fields {
      for name in ["\(row.type)", "\(row.type)?"] {
        try file.commit([write(at(name), .init(other: row.type)), write(at(name), row.old)], isEncoded: isEncoded)
        try file.commit([write(at(name), row.new)], isEncoded: isEncoded)
        let expected = (row.kept ? row.old : row.new).value
        #expect(form(try held(name, file)) == form(expected), "\(row)")
      }
    }
  }

  @Test("a null that a negative zero replaces was no zero")
  func null() throws {
    let file = try file()
    for (name, zero) in [
      ("double?", Self.double(-0.0)), ("float?", Self.float(-0.0)), ("decimal128?", .decimal128(Self.negative)),
    ] {
      try file.commit([write(at(name), .null), write(at(name), zero)])
      #expect(form(try held(name, file)) == form(zero.value))
    }
  }

  @Test("elements, entries and mixed values, nested ones included")
  func values() throws {
    let file = try file()
    for row in Self.values {
      let expected = form((row.kept ? row.old : row.new).value)
      try file.commit([
        write(at("mixed"), row.old), .clear(Clear(target: at("list"), collection: .list)),
        .arrayInsert(ArrayInsert(target: at("list", .index(0)), payload: row.old, priorSize: 0)),
        .clear(Clear(target: at("entries"), collection: .dictionary)), write(at("entries", .name("k")), row.old),
      ])
      try file.commit([
        write(at("mixed"), row.new), write(at("list", .index(0)), row.new, 1),
        write(at("entries", .name("k")), row.new),
      ])
      for field in ["mixed", "list", "entries"] { #expect(form(try held(field, file)) == expected, "\(field) \(row)") }
      try file.commit([
        write(at("mixed"), .null), write(at("mixed"), .list),
        .arrayInsert(ArrayInsert(target: at("mixed", .index(0)), payload: row.old, priorSize: 0)),
      ])
      try file.commit([write(at("mixed", .index(0)), row.new, 1)])
      #expect(form(try held("mixed", file)) == expected, "nested \(row)")
    }
  }

  @Test("lists of one type, where an inserted element keeps its sign")
  func typedLists() throws {
    let file = try file()
    try file.commit([
      .arrayInsert(ArrayInsert(target: at("doubles", .index(0)), payload: Self.double(-0.0), priorSize: 0)),
      .arrayInsert(ArrayInsert(target: at("decimals", .index(0)), payload: Self.decimal("1.0"), priorSize: 0)),
    ])
    #expect(form(try held("doubles", file)) == "double -0.0")
    try file.commit([
      write(at("doubles", .index(0)), Self.double(0), 1), write(at("decimals", .index(0)), Self.decimal("1.00"), 1),
    ])
    #expect(form(try held("doubles", file)) == "double -0.0")
    #expect(form(try held("decimals", file)) == form(Self.decimal("1.0").value))
  }

  @Test("a set has one zero, and gives it up under either sign")
  func sets() throws {
    for (first, second) in [(0.0, -0.0), (-0.0, 0.0)] {
      let file = try file()
      func insert(_ value: Double) -> Instruction {
        .setInsert(SetInsert(target: at("zeros"), payload: Self.double(value)))
      }
      try file.commit([insert(first), insert(second)])
      #expect(try file.dump().objects["All"]?[.int(1)]?["zeros"] == .set([.double(0)]))
      try file.commit([.setErase(SetErase(target: at("zeros"), payload: Self.double(second)))])
      #expect(try file.dump().objects["All"]?[.int(1)]?["zeros"] == .set([]))
    }
  }

  @Test("an element that a file keeps under its former key is found")
  func formerKeys() {
    #expect(SetKey.candidates(for: .double(0)).count == 2)
    #expect(SetKey.candidates(for: .double(0)) == SetKey.candidates(for: .double(-0.0)))
    #expect(SetKey.candidates(for: .double(1)).count == 1)
  }
}

extension Payload {
  /// A value that is no zero.
  fileprivate init(other type: PayloadType) {
    switch type {
    case .double: self = .double(Double(9).bitPattern)
    case .float: self = .float(Float(9).bitPattern)
    default: self = .decimal128(Decimal128(9))
    }
  }
}
