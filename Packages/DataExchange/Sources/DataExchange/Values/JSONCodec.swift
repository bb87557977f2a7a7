public import DataModel
import Foundation
import RecordStore

/// The JSON of a field by the type of its property, and back.
///
/// A value carries its type only where the property has none: in mixed ones, as `{"$date": "…"}`.
public struct JSONCodec {
  let classes: [String: ObjectSchema]

  /// The codec of the classes of a schema.
  public init(_ schema: Schema) {
    classes = Dictionary(schema.objectSchema.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Writing

  func json(_ item: StateDump.Item, _ property: Property) -> String {
    switch item {
    case .value(let value): json(value, property)
    case .embedded(let fields): json(fields, classes[property.objectClassName ?? ""])
    case .list(let items): JSONText.array(items.map { json($0, property) })
    case .set(let values): JSONText.array(values.map { json($0, property) }.sorted())
    case .dictionary(let entries):
      JSONText.object(entries.sorted { $0.key < $1.key }.map { ($0.key, json($0.value, property)) })
    }
  }

  /// The fields of an object in the order of its class.
  func json(_ fields: [String: StateDump.Item], _ object: ObjectSchema?, key: ObjectKey? = nil) -> String {
    var members: [(String, String)] = []
    if let key, let text = KeyText.text(key), object?.primaryKey == nil {
      members.append(("$key", JSONText.quoted(text)))
    }
    for property in object?.properties ?? [] {
      if let item = fields[property.name] { members.append((property.name, json(item, property))) }
    }
    return JSONText.object(members)
  }

  private func json(_ value: Value, _ property: Property) -> String {
    switch (property.type, value) {
    case (_, .null): "null"
    case (.any, _): mixed(value)
    case (.object, .link(let reference)):
      property.objectClassName == nil ? mixed(value) : json(reference.key)
    case (.int, _), (.bool, _), (.string, _), (.data, _), (.date, _), (.float, _), (.double, _), (.object, _),
      (.linkingObjects, _), (.objectId, _), (.decimal128, _), (.UUID, _):
      plain(value)
    }
  }

  /// A value whose type is known from elsewhere.
  private func plain(_ value: Value) -> String {
    let text = ScalarText.text(value) ?? ""
    switch value {
    case .null: return "null"
    case .int, .bool: return text
    case .float(let number): return number.isFinite ? text : JSONText.quoted(text)
    case .double(let number): return number.isFinite ? text : JSONText.quoted(text)
    case .string, .data, .timestamp, .decimal128, .objectId, .uuid, .link, .list, .dictionary:
      return JSONText.quoted(text)
    }
  }

  func json(_ key: ObjectKey) -> String {
    guard let text = KeyText.text(key) else { return #"{"$key": null}"# }
    if case .int = key { return text }
    return JSONText.quoted(text)
  }

  /// A value with its type where JSON has no type like it.
  public func mixed(_ value: Value) -> String {
    switch value {
    case .null, .int, .bool, .string: return plain(value)
    case .double(let number) where number.isFinite: return plain(value)
    case .list(let elements): return JSONText.array(elements.map(mixed))
    case .dictionary(let entries):
      let text = JSONText.object(entries.sorted { $0.key < $1.key }.map { ($0.key, mixed($0.value)) })
      return entries.keys.contains { $0.hasPrefix("$") } ? #"{"$dictionary": \#(text)}"# : text
    case .link(let reference):
      return #"{"$link": {"class": \#(JSONText.quoted(reference.className)), "key": \#(json(reference.key))}}"#
    case .double, .float, .data, .timestamp, .decimal128, .objectId, .uuid:
      let tag = value.propertyType.flatMap { Self.tags[$0] } ?? "$string"
      return "{\"\(tag)\": \(plain(value))}"
    }
  }

  static let tags: [PropertyType: String] = [
    .double: "$double", .float: "$float", .data: "$data", .date: "$date", .decimal128: "$decimal",
    .objectId: "$objectId", .UUID: "$uuid",
  ]
  /// The types that members of an object with one member name, as in `{"$date": "…"}`.
  public static let types = Dictionary(uniqueKeysWithValues: tags.map { ($1, $0) })
}
