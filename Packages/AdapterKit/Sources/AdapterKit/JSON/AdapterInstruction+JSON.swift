public import ByteCoding
import DataExchange
import DataModel

extension AdapterInstruction {
  /// The step as JSON, with the documented names.
  ///
  ///     {"type":"SET","object_type":"Task","identity":1,"values":{"title":"Milk"}}
  ///     {"type":"LIST_INSERT","object_type":"Task","identity":1,"property":"tags","list_index":0,"value":"x"}
  ///
  /// Values of types that JSON does not have carry their type, as in `{"$date":"2026-01-31T12:00:00Z"}`.
  public var json: JSONValue {
    switch self {
    case .insert(let object, let values): .step("INSERT", object, [("values", .values(values))])
    case .set(let object, let values): .step("SET", object, [("values", .values(values))])
    case .delete(let object): .step("DELETE", object)
    case .clear(let className): .step("CLEAR", of: className)
    case .increment(let place, let amount): .step("INCREMENT", place, [("amount", .number(String(amount)))])
    case .listSet(let place, let index, let value): .step("LIST_SET", place, .index(index), value)
    case .listInsert(let place, let index, let value): .step("LIST_INSERT", place, .index(index), value)
    case .listMove(let place, let from, let to):
      .step("LIST_MOVE", place, .index(from) + [("new_list_index", .number(String(to)))])
    case .listErase(let place, let index): .step("LIST_ERASE", place, .index(index))
    case .listClear(let place): .step("LIST_CLEAR", place)
    case .setInsert(let place, let value): .step("SET_INSERT", place, [], value)
    case .setErase(let place, let value): .step("SET_ERASE", place, [], value)
    case .setClear(let place): .step("SET_CLEAR", place)
    case .dictionarySet(let place, let key, let value): .step("DICTIONARY_SET", place, [("key", .string(key))], value)
    case .dictionaryErase(let place, let key): .step("DICTIONARY_ERASE", place, [("key", .string(key))])
    case .dictionaryClear(let place): .step("DICTIONARY_CLEAR", place)
    case .nestedSet(let place, let value): .step("NESTED_SET", place, [], value)
    case .addType(let schema):
      .step(
        "ADD_TYPE", of: schema.className,
        (schema.kind == .topLevel ? [] : [("kind", .string("\(schema.kind)"))])
          + (schema.primaryKey.map { [("primary_key", .string($0))] } ?? [])
          + [("properties", .properties(schema.properties))])
    case .addProperties(let className, let properties):
      .step("ADD_PROPERTIES", of: className, [("properties", .properties(properties))])
    case .eraseType(let className): .step("ERASE_TYPE", of: className)
    case .eraseProperty(let className, let property):
      .step("ERASE_PROPERTY", of: className, [("property", .string(property))])
    }
  }
}

extension JSONValue {
  fileprivate typealias Members = [(key: String, value: JSONValue)]

  fileprivate static func step(_ type: String, of className: String, _ more: Members = []) -> JSONValue {
    .object([("type", .string(type)), ("object_type", .string(className))] + more)
  }

  fileprivate static func step(_ type: String, _ object: ObjectReference, _ more: Members = []) -> JSONValue {
    step(type, of: object.className, [("identity", .key(object.key))] + more)
  }

  fileprivate static func step(
    _ type: String, _ place: AdapterPlace, _ more: Members = [], _ value: AdapterValue? = nil
  ) -> JSONValue {
    var members: Members = [("property", .string(place.property))]
    if !place.path.isEmpty { members.append(("path", .array(place.path.map(\.json)))) }
    members += more
    if let value { members.append(("value", .value(value))) }
    return step(type, place.object, members)
  }

  fileprivate static func values(_ values: [String: AdapterValue]) -> JSONValue {
    .object(values.sorted { $0.key < $1.key }.map { ($0.key, .value($0.value)) })
  }

  fileprivate static func properties(_ properties: [Property]) -> JSONValue {
    .object(properties.map { ($0.name, .property($0)) })
  }

  private static func property(_ property: Property) -> JSONValue {
    let type = JSONValue.string(SchemaText.typeNames[property.type] ?? "mixed")
    var members: Members =
      property.collection == .single
      ? [("type", type)] : [("type", .string("\(property.collection)")), ("elementType", type)]
    if let target = property.objectClassName { members.append(("objectType", .string(target))) }
    if property.isOptional { members.append(("optional", .bool(true))) }
    if property.isIndexed { members.append(("indexed", .bool(true))) }
    return .object(members)
  }

  static func key(_ key: ObjectKey) -> JSONValue {
    switch key {
    case .null: .null
    case .int(let number): .number(String(number))
    case .string(let text): .string(text)
    case .objectId(let id): .object([("$objectId", .string(id.stringValue))])
    case .uuid(let uuid): .object([("$uuid", .string(uuid.uuidString.lowercased()))])
    case .global(let global): .object([("$key", .string("\(global.high)-\(global.low)"))])
    }
  }

  static func value(_ value: AdapterValue) -> JSONValue {
    switch value {
    case .value(let value): scalar(value)
    case .embedded: .object([("$embedded", .bool(true))])
    case .emptyCollection(let kind): .object([("$collection", .string("\(kind)"))])
    }
  }

  private static func scalar(_ value: Value) -> JSONValue {
    func tagged(_ tag: String) -> JSONValue {
      .object([(tag, .string(ScalarText.text(value) ?? ""))])
    }
    return switch value {
    case .null: .null
    case .int(let number): .number(String(number))
    case .bool(let flag): .bool(flag)
    case .string(let text): .string(text)
    case .double(let number): number.isFinite ? .number("\(number)") : tagged("$double")
    case .float: tagged("$float")
    case .data: tagged("$data")
    case .timestamp: tagged("$date")
    case .decimal128: tagged("$decimal")
    case .objectId: tagged("$objectId")
    case .uuid: tagged("$uuid")
    case .link(let target):
      .object([("$link", .object([("class", .string(target.className)), ("key", .key(target.key))]))])
    case .list(let elements): .array(elements.map(scalar))
    case .dictionary(let entries):
      .object([
        ("$dictionary", .object(entries.sorted { $0.key < $1.key }.map { ($0.key, scalar($0.value)) }))
      ])
    }
  }
}

extension [(key: String, value: JSONValue)] {
  fileprivate static func index(_ index: Int) -> Self { [("list_index", .number(String(index)))] }
}

extension AdapterPlace.Step {
  fileprivate var json: JSONValue {
    switch self {
    case .index(let index): .number(String(index))
    case .name(let name): .string(name)
    }
  }
}
