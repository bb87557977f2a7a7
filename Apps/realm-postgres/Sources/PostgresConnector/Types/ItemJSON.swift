import ByteCoding
import DataModel
import Foundation
import RecordStore

/// Embedded objects, sets, dictionaries and mixed values as JSON, and back. What JSON has no form for is an object with one member
/// whose name begins with `$`.
struct ItemJSON {
  /// The classes, for the types inside embedded objects.
  let schema: Schema

  // MARK: To JSON

  /// The JSON of the value of a property.
  ///
  /// - Throws: ``Unfit`` for texts that PostgreSQL cannot hold.
  func json(_ item: StateDump.Item, _ property: Property) throws -> JSONValue {
    switch item {
    case .value(let value): try json(value, property.type)
    case .embedded(let fields):
      .object(
        try fields.sorted { $0.key < $1.key }.compactMap { name, item in
          guard let inner = schema[property.objectClassName ?? ""]?[name] else { return nil }
          return (name, try json(item, inner))
        })
    case .list(let items): .array(try items.map { try json($0, property) })
    case .dictionary(let entries):
      .object(
        try entries.sorted { $0.key < $1.key }.map { (try ScalarText.checked($0.key), try json($0.value, property)) })
    case .set(let values):
      .array(try values.map { try json($0, property.type) }.sorted { $0.text < $1.text })
    }
  }

  private func json(_ value: Value, _ type: PropertyType) throws -> JSONValue {
    let isMixed = type == .any
    switch value {
    case .null: return .null
    case .int(let number): return .number(String(number))
    case .bool(let flag): return .bool(flag)
    case .string(let text): return .string(try ScalarText.checked(text))
    case .double(let number) where number.isFinite && !isMixed: return .number("\(number)")
    case .float(let number) where number.isFinite && !isMixed: return .number("\(number)")
    case .link(let target):
      let key = try ScalarText.text(target.key).map(JSONValue.string) ?? .null
      guard isMixed else { return key }
      return .object([("$link", .object([("class", .string(target.className)), ("key", key)]))])
    case .list(let elements): return .object([("$list", .array(try elements.map { try json($0, .any) }))])
    case .dictionary(let entries):
      return .object([
        (
          "$dictionary",
          .object(try entries.sorted { $0.key < $1.key }.map { ($0.key, try json($0.value, .any)) })
        )
      ])
    case .data: return try tagged("$binary", value)
    case .timestamp(let time):
      return .object([("$date", .string("\(time.seconds).\(time.nanoseconds)"))])
    case .float: return try tagged("$float", value)
    case .double: return try tagged("$double", value)
    case .decimal128: return try tagged("$decimal", value)
    case .objectId: return try tagged("$oid", value)
    case .uuid: return try tagged("$uuid", value)
    }
  }

  private func tagged(_ tag: String, _ value: Value) throws -> JSONValue {
    .object([(tag, .string(try ScalarText.text(value) ?? ""))])
  }

  // MARK: From JSON

  /// The value of a property in JSON.
  ///
  /// - Throws: ``Unfit`` for JSON that is no value of the property.
  func item(_ json: JSONValue, _ property: Property) throws -> StateDump.Item {
    switch property.collection {
    case .single: return try element(json, property)
    case .list:
      guard let elements = json.elements else { throw Unfit("\(property.name) is no list: \(json.text.prefix(64))") }
      return .list(try elements.map { try element($0, property) })
    case .set:
      guard let elements = json.elements else { throw Unfit("\(property.name) is no set: \(json.text.prefix(64))") }
      return .set(Set(try elements.map { try value($0, property) }))
    case .dictionary:
      guard let members = json.members else {
        throw Unfit("\(property.name) is no dictionary: \(json.text.prefix(64))")
      }
      return .dictionary(
        try Dictionary(members.map { ($0.key, try element($0.value, property)) }, uniquingKeysWith: { $1 }))
    }
  }

  private func element(_ json: JSONValue, _ property: Property) throws -> StateDump.Item {
    guard property.type == .object, let target = schema[property.objectClassName ?? ""], target.kind == .embedded,
      json != .null
    else { return .value(try value(json, property)) }
    guard let members = json.members else { throw Unfit("\(property.name) is no object: \(json.text.prefix(64))") }
    var fields: [String: StateDump.Item] = [:]
    for (name, member) in members {
      guard let inner = target[name] else { throw Unfit("\(target.className) has no property '\(name)'") }
      fields[name] = try item(member, inner)
    }
    // A member that the text leaves out has its initial value.
    for inner in target.properties where fields[inner.name] == nil && inner.type != .linkingObjects {
      fields[inner.name] = Self.initial(inner)
    }
    return .embedded(fields)
  }

  /// The value of a property of a new object.
  private static func initial(_ property: Property) -> StateDump.Item {
    switch property.collection {
    case .list: return .list([])
    case .set: return .set([])
    case .dictionary: return .dictionary([:])
    case .single: break
    }
    guard !property.isOptional else { return .value(.null) }
    switch property.type {
    case .int: return .value(.int(0))
    case .bool: return .value(.bool(false))
    case .string: return .value(.string(""))
    case .data: return .value(.data([]))
    case .date: return .value(.timestamp(Timestamp(seconds: 0)))
    case .float: return .value(.float(0))
    case .double: return .value(.double(0))
    case .decimal128: return .value(.decimal128(Decimal128(0 as Int64)))
    case .objectId, .UUID, .object, .linkingObjects, .any: return .value(.null)
    }
  }

  private func value(_ json: JSONValue, _ property: Property) throws -> Value {
    switch json {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .string(let text):
      if property.type == .object, let target = schema[property.objectClassName ?? ""],
        let key = target.primaryKeyProperty
      {
        return .link(ObjectReference(className: target.className, key: try ScalarText.key(text, key.type)))
      }
      return property.type == .any ? .string(text) : try ScalarText.value(text, property.type)
    case .number(let digits):
      if property.type == .any {
        guard let number = Int64(digits) else { return .double(try number(digits)) }
        return .int(number)
      }
      return try ScalarText.value(digits, property.type)
    case .array: throw Unfit("\(property.name): a list in a mixed value is written as {\"$list\": […]}")
    case .object(let members):
      guard let (tag, content) = members.first, members.count == 1 else { throw Unfit("\(property.name): no value") }
      return try tagged(tag, content, property)
    }
  }

  private func number(_ digits: String) throws -> Double {
    guard let number = Double(digits) else { throw Unfit("'\(digits.prefix(64))' is no number") }
    return number
  }

  private func tagged(_ tag: String, _ content: JSONValue, _ property: Property) throws -> Value {
    let mixed = Property(name: property.name, type: .any)
    switch (tag, content) {
    case ("$list", .array(let elements)): return .list(try elements.map { try value($0, mixed) })
    case ("$dictionary", .object(let members)):
      return .dictionary(try Dictionary(members.map { ($0.key, try value($0.value, mixed)) }, uniquingKeysWith: { $1 }))
    case ("$link", .object):
      guard let name = content["class"]?.string, let target = schema[name], let type = target.primaryKeyProperty?.type,
        let key = content["key"]?.string
      else { throw Unfit("\(property.name) links to no known class") }
      return .link(ObjectReference(className: name, key: try ScalarText.key(key, type)))
    case ("$date", .string(let text)):
      let halves = text.split(separator: ".")
      guard halves.count == 2, let seconds = Int64(halves[0]), let nanoseconds = Int32(halves[1]),
        let time = Timestamp(validating: seconds, nanoseconds: nanoseconds)
      else { throw Unfit("\(property.name): '\(text.prefix(64))' is no point in time") }
      return .timestamp(time)
    case ("$binary", .string(let text)): return try ScalarText.value(text, .data)
    case ("$float", .string(let text)): return try ScalarText.value(text, .float)
    case ("$double", .string(let text)): return try ScalarText.value(text, .double)
    case ("$decimal", .string(let text)): return try ScalarText.value(text, .decimal128)
    case ("$oid", .string(let text)): return try ScalarText.value(text, .objectId)
    case ("$uuid", .string(let text)): return try ScalarText.value(text, .UUID)
    default: throw Unfit("\(property.name): '\(tag)' is no kind of value")
    }
  }
}
