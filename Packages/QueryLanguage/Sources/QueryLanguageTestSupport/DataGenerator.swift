public import DataModel
import Foundation
public import QueryLanguage

/// Fills a ``MemorySource`` with random objects whose values come from small pools, so that random queries meet them.
public enum DataGenerator {
  static let strings = [
    "", "a", "b", "A", "ab", "Ab", "abc", "É", "é", "Éa", "STRASSE", "straße", "a*b", "a?b", "山", "zzz", "Ada", "aaa",
    "quote\"", "it's", "back\\slash", "0", "24",
  ]

  /// A random value of a type; of mixed any kind, null included.
  public static func value<R: RandomNumberGenerator>(_ type: PropertyType, using random: inout R) -> Value {
    func pick<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }
    switch type {
    case .int: return .int(pick([-3, -1, 0, 1, 2, 3, 3, 5, 24, 300, 70_000, 5_000_000_000, .max, .min, 1, 2]))
    case .bool: return .bool(pick([true, false]))
    case .string: return .string(pick(strings))
    case .data: return .data(pick([[], [97], [97, 98], [65, 66], [0, 255], [97, 98, 99]]))
    case .date:
      return .timestamp(
        pick([
          Timestamp(seconds: 0), Timestamp(seconds: 5, nanoseconds: 7), Timestamp(seconds: 5, nanoseconds: 8),
          Timestamp(seconds: -9), Timestamp(seconds: 1_700_000_000),
        ]))
    case .float: return .float(pick([0, 0.5, 1.25, -2, 2.1, 3]))
    case .double: return .double(pick([0, 0.5, 1, 1.65, 2, -3.5, 1e20, .infinity, -0.0, 3]))
    case .decimal128:
      return .decimal128(
        pick(["0", "1", "1.00", "2.50", "-3.75", "7", "1E+3"].compactMap { Decimal128(validating: $0) }))
    case .objectId:
      return .objectId(
        pick(
          [.zero] + ["64b1f0c2a1b2c3d4e5f60001", "64b1f0c2a1b2c3d4e5f60002"].compactMap { try? ObjectId(string: $0) }))
    case .UUID:
      return .uuid(
        pick(
          [
            "3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3302",
            "00000000-0000-0000-0000-000000000000",
          ].compactMap { UUID(uuidString: $0) }))
    case .any:
      let types: [PropertyType] = [.int, .bool, .string, .double, .date, .decimal128, .float, .objectId]
      return Int.random(in: 0..<6, using: &random) == 0 ? .null : value(pick(types), using: &random)
    case .object, .linkingObjects: return .null
    }
  }

  /// The name of the object that has a number; more numbers than objects exist, so that some are unresolved.
  public static func reference(_ className: String, _ number: Int, _ schema: Schema) -> ObjectReference {
    ObjectReference(className: className, key: ObjectKey(key(schema[className], number)) ?? .null)
  }

  static func key(_ objectSchema: ObjectSchema?, _ number: Int) -> Value {
    switch objectSchema?.primaryKeyProperty?.type {
    case .string: return .string("key \(number)")
    case .objectId:
      return (try? ObjectId(string: "0000000000000000000000" + (number < 10 ? "0\(number)" : "\(number)"))).map {
        .objectId($0)
      } ?? .null
    case .UUID:
      return UUID(uuidString: "00000000-0000-0000-0000-0000000000" + (number < 10 ? "0\(number)" : "\(number)")).map {
        .uuid($0)
      } ?? .null
    default: return .int(Int64(number))
    }
  }

  /// Adds `count` objects to each class that is not embedded.
  public static func fill<R: RandomNumberGenerator>(_ source: MemorySource, count: Int, using random: inout R) {
    for objectSchema in source.schema.objectSchema where objectSchema.kind != .embedded {
      for number in 0..<count {
        var values: [String: Value] = [:]
        for property in objectSchema.properties where property.type != .linkingObjects {
          values[property.name] = fieldValue(property, source.schema, count, using: &random)
        }
        if let key = objectSchema.primaryKey { values[key] = Self.key(objectSchema, number) }
        source.add(objectSchema.className, values)
      }
    }
  }

  private static func fieldValue<R: RandomNumberGenerator>(
    _ property: Property, _ schema: Schema, _ count: Int, using random: inout R
  ) -> Value {
    func one() -> Value {
      let isNull = property.isOptional && Int.random(in: 0..<4, using: &random) == 0
      if isNull { return .null }
      guard property.type == .object, let target = property.objectClassName else {
        return value(property.type, using: &random)
      }
      if schema[target]?.kind == .embedded { return .null }
      return .link(reference(target, Int.random(in: 0..<(count + 1), using: &random), schema))
    }
    let length = Int.random(in: 0..<4, using: &random)
    switch property.collection {
    case .single: return one()
    case .list:
      // A list of objects has no place for an unresolved one that would be seen.
      return .list((0..<length).map { _ in one() }.filter { property.isOptional || !isUnresolved($0, schema, count) })
    case .set:
      var members: [Value] = []
      for _ in 0..<length {
        let member = one()
        if !members.contains(where: { $0.compareInSortOrder(member) == 0 }), !isUnresolved(member, schema, count) {
          members.append(member)
        }
      }
      return .list(members)
    case .dictionary:
      var entries: [String: Value] = [:]
      for key in ["a", "b", "c"].prefix(length) { entries[key] = one() }
      return .dictionary(entries)
    }
  }

  private static func isUnresolved(_ value: Value, _ schema: Schema, _ count: Int) -> Bool {
    guard case .link(let reference) = value else { return false }
    return reference == self.reference(reference.className, count, schema)
  }
}
