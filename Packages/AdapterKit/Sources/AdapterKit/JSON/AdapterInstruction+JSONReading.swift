public import ByteCoding
import DataExchange
import DataModel

extension AdapterInstruction {
  /// The step that JSON states, in the form of ``json``. Members of other names are passed over.
  ///
  /// - Throws: ``AdapterError`` with code `badText` and the member that is missing or wrong.
  public init(_ json: JSONValue) throws(AdapterError) {
    let step = StepReader(json)
    switch try step.text("type") {
    case "INSERT": self = .insert(try step.object(), values: try step.values())
    case "SET": self = .set(try step.object(), values: try step.values())
    case "DELETE": self = .delete(try step.object())
    case "CLEAR": self = .clear(className: try step.text("object_type"))
    case "INCREMENT":
      guard let amount = json["amount"]?.integer else { throw step.isWrong("amount") }
      self = .increment(try step.place(), amount: amount)
    case "LIST_SET": self = .listSet(try step.place(), index: try step.index(), try step.value())
    case "LIST_INSERT": self = .listInsert(try step.place(), index: try step.index(), try step.value())
    case "LIST_MOVE":
      self = .listMove(try step.place(), from: try step.index(), to: try step.index("new_list_index"))
    case "LIST_ERASE": self = .listErase(try step.place(), index: try step.index())
    case "LIST_CLEAR": self = .listClear(try step.place())
    case "SET_INSERT": self = .setInsert(try step.place(), try step.value())
    case "SET_ERASE": self = .setErase(try step.place(), try step.value())
    case "SET_CLEAR": self = .setClear(try step.place())
    case "DICTIONARY_SET":
      self = .dictionarySet(try step.place(), key: try step.text("key"), try step.value())
    case "DICTIONARY_ERASE": self = .dictionaryErase(try step.place(), key: try step.text("key"))
    case "DICTIONARY_CLEAR": self = .dictionaryClear(try step.place())
    case "NESTED_SET": self = .nestedSet(try step.place(), try step.value())
    case "ADD_TYPE": self = .addType(try step.schema())
    case "ADD_PROPERTIES":
      self = .addProperties(className: try step.text("object_type"), try step.properties())
    case "ERASE_TYPE": self = .eraseType(className: try step.text("object_type"))
    case "ERASE_PROPERTY":
      self = .eraseProperty(className: try step.text("object_type"), property: try step.text("property"))
    case let type:
      throw AdapterError(.badText, "'\(type)' is no instruction", remedy: "see the instructions of adapters")
    }
  }
}

/// Reads the members of one step.
private struct StepReader {
  private let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  func isWrong(_ member: String) -> AdapterError {
    AdapterError(
      .badText, "the member '\(member)' of an instruction is missing or wrong",
      remedy: "see the instructions of adapters")
  }

  func text(_ member: String) throws(AdapterError) -> String {
    guard let text = json[member]?.string else { throw isWrong(member) }
    return text
  }

  func index(_ member: String = "list_index") throws(AdapterError) -> Int {
    guard let index = json[member]?.integer, (0..<Int64(UInt32.max)).contains(index) else { throw isWrong(member) }
    return Int(index)
  }

  func object() throws(AdapterError) -> ObjectReference {
    guard let identity = json["identity"], let key = Self.key(identity) else { throw isWrong("identity") }
    return ObjectReference(className: try text("object_type"), key: key)
  }

  func place() throws(AdapterError) -> AdapterPlace {
    var place = AdapterPlace(try object(), try text("property"))
    guard let path = json["path"] else { return place }
    guard let steps = path.elements else { throw isWrong("path") }
    for step in steps {
      if let name = step.string {
        place.path.append(.name(name))
      } else if let index = step.integer, (0..<Int64(UInt32.max)).contains(index) {
        place.path.append(.index(Int(index)))
      } else {
        throw isWrong("path")
      }
    }
    return place
  }

  func values() throws(AdapterError) -> [String: AdapterValue] {
    guard let json = json["values"] else { return [:] }
    guard let members = json.members else { throw isWrong("values") }
    var values: [String: AdapterValue] = [:]
    for (name, json) in members {
      guard let value = Self.value(json) else { throw isWrong("values.\(name)") }
      values[name] = value
    }
    return values
  }

  func value() throws(AdapterError) -> AdapterValue {
    guard let json = json["value"], let value = Self.value(json) else { throw isWrong("value") }
    return value
  }

  // MARK: Schemas

  func schema() throws(AdapterError) -> ObjectSchema {
    let kind: ObjectKind
    switch json["kind"]?.string ?? "topLevel" {
    case "topLevel": kind = .topLevel
    case "embedded": kind = .embedded
    case "asymmetric": kind = .asymmetric
    default: throw isWrong("kind")
    }
    let schema = ObjectSchema(
      className: try text("object_type"), kind: kind, primaryKey: json["primary_key"]?.string,
      properties: try properties())
    if let key = schema.primaryKey, schema[key] == nil { throw isWrong("primary_key") }
    return schema
  }

  func properties() throws(AdapterError) -> [Property] {
    guard let members = json["properties"]?.members else { throw isWrong("properties") }
    var properties: [Property] = []
    for (name, json) in members {
      guard let property = Self.property(name, json) else { throw isWrong("properties.\(name)") }
      properties.append(property)
    }
    return properties
  }

  private static let types = Dictionary(
    SchemaText.typeNames.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

  private static func property(_ name: String, _ json: JSONValue) -> Property? {
    let collection: CollectionKind
    var type = json["type"]?.string
    switch type {
    case "list": collection = .list
    case "set": collection = .set
    case "dictionary": collection = .dictionary
    default: collection = .single
    }
    if collection != .single { type = json["elementType"]?.string }
    guard let type = type.flatMap({ types[$0] }) else { return nil }
    let target = json["objectType"]?.string
    guard (type == .object) == (target != nil) else { return nil }
    return Property(
      name: name, type: type, collection: collection, objectClassName: target,
      isOptional: json["optional"]?.bool ?? false, isIndexed: json["indexed"]?.bool ?? false)
  }

  // MARK: Values

  private static func key(_ json: JSONValue) -> ObjectKey? {
    switch json {
    case .null: .null
    case .number: json.integer.map { .int($0) }
    case .string(let text): .string(text)
    case .object(let members): members.count == 1 ? key(members[0].key, members[0].value) : nil
    case .bool, .array: nil
    }
  }

  private static func key(_ tag: String, _ json: JSONValue) -> ObjectKey? {
    guard let text = json.string else { return nil }
    switch tag {
    case "$objectId": return ScalarText.value(text, .objectId).flatMap { ObjectKey($0) }
    case "$uuid": return ScalarText.value(text, .UUID).flatMap { ObjectKey($0) }
    case "$key":
      let halves = text.split(separator: "-", omittingEmptySubsequences: false)
      guard halves.count == 2, let high = UInt64(halves[0]), let low = UInt64(halves[1]) else { return nil }
      return .global(GlobalKey(high: high, low: low))
    default: return nil
    }
  }

  private static func value(_ json: JSONValue) -> AdapterValue? {
    guard case .object(let members) = json else { return scalar(json).map { .value($0) } }
    guard members.count == 1 else { return nil }
    switch (members[0].key, members[0].value) {
    case ("$embedded", .bool(true)): return .embedded
    case ("$collection", .string("list")): return .emptyCollection(.list)
    case ("$collection", .string("dictionary")): return .emptyCollection(.dictionary)
    default: return tagged(members[0].key, members[0].value).map { .value($0) }
    }
  }

  private static func scalar(_ json: JSONValue) -> Value? {
    switch json {
    case .null: return .null
    case .bool(let flag): return .bool(flag)
    case .string(let text): return .string(text)
    case .number(let text):
      let isWhole = text.utf8.allSatisfy { $0 == 0x2D || (0x30...0x39).contains($0) }
      return ScalarText.value(text, isWhole ? .int : .double)
    case .array, .object: return nil
    }
  }

  private static func tagged(_ tag: String, _ json: JSONValue) -> Value? {
    if tag == "$link" {
      guard let name = json["class"]?.string, let key = json["key"].flatMap({ key($0) }) else { return nil }
      return .link(ObjectReference(className: name, key: key))
    }
    guard let type = JSONCodec.types[tag], let text = json.string else { return nil }
    return ScalarText.value(text, type)
  }
}
