import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Values that are equal and yet not the same: zeros of both signs, decimals of several exponents. What is stored must not
/// depend on what it replaced, since devices replace in different orders.
@Suite("zeros of both signs, and decimals of any exponent")
struct SignedZeroTests {
  private static let object = ObjectReference(className: "All", key: .int(1))

  private static func double(_ value: Double) -> Payload { .double(value.bitPattern) }
  private static func float(_ value: Float) -> Payload { .float(value.bitPattern) }
  private static func decimal(_ text: String) -> Payload { .decimal128(Decimal128(validating: text) ?? .nan) }

  /// Values that compare as equal, of one type each.
  private static let forms: [(field: String, values: [Payload])] = [
    ("double", [double(0), double(-0.0)]), ("float", [float(0), float(-0.0)]),
    ("decimal", [.decimal128(Decimal128()), .decimal128(-Decimal128())]),
    ("decimal", [decimal("1.0"), decimal("1.00")]),
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
      column("double", .double), column("float", .float), column("decimal", .decimal128),
      column("mixed", nil, .single, true), column("list", nil, .list, true), column("entries", nil, .dictionary, true),
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
    case .value(let value)?: value
    case .list(let elements)?: if case .value(let value)? = elements.first { value } else { nil }
    case .dictionary(let entries)?: if case .value(let value)? = entries["k"] { value } else { nil }
    default: nil
    }
  }

  @Test("the last value written is held as it was written, whatever equal value was there", arguments: [false, true])
  func lastForm(isEncoded: Bool) throws {
    for (field, values) in Self.forms {
      for old in values {
        for new in values {
          let file = try file()
          try file.commit(
            [
              write(at(field), old), write(at("mixed"), old),
              .arrayInsert(ArrayInsert(target: at("list", .index(0)), payload: old, priorSize: 0)),
              write(at("entries", .name("k")), old),
            ], isEncoded: isEncoded)
          try file.commit(
            [
              write(at(field), new), write(at("mixed"), new), write(at("list", .index(0)), new, 1),
              write(at("entries", .name("k")), new),
            ], isEncoded: isEncoded)
          for place in [field, "mixed", "list", "entries"] {
            #expect(form(try held(place, file)) == form(new.value), "\(old) then \(new) in \(place)")
          }
        }
      }
    }
  }
}
