import DataModel
import RecordStore

/// A value that does not fit its class, with its position in the text and its path in the data.
struct Misfit: Error {
  let message: String
  let position: TextPosition
  let place: String

  init(_ message: String, _ node: JSONNode, _ place: String) {
    self.message = message
    position = node.position
    self.place = place
  }
}

extension JSONCodec {
  /// The fields that a JSON object gives to an object of a class. Properties that are not named are left out.
  func fields(_ node: JSONNode, _ object: ObjectSchema, _ place: String) throws -> [String: StateDump.Item] {
    guard case .object(let members) = node.content else {
      throw Misfit("expected an object, found \(node.summary).", node, place)
    }
    var fields: [String: StateDump.Item] = [:]
    for (name, value) in members where name != "$key" {
      guard let property = object.property(named: name) else {
        let known = object.properties.map(\.name).joined(separator: ", ")
        throw Misfit("\(object.className) has no property '\(name)'; it has \(known).", value, place)
      }
      guard fields[property.name] == nil else { throw Misfit("'\(name)' is given twice.", value, place) }
      fields[property.name] = try item(value, property, "\(place).\(name)")
    }
    return fields
  }

  /// The value of a field, read by the type of its property.
  func item(_ node: JSONNode, _ property: Property, _ place: String) throws -> StateDump.Item {
    switch property.collection {
    case .single: return try element(node, property, place)
    case .list, .set:
      guard let nodes = node.elements else { throw Misfit("expected an array, found \(node.summary).", node, place) }
      if property.collection == .list {
        return .list(try nodes.enumerated().map { try element($1, property, "\(place)[\($0)]") })
      }
      var values: Set<Value> = []
      for (position, node) in nodes.enumerated() {
        guard case .value(let value) = try element(node, property, "\(place)[\(position)]") else {
          throw Misfit("a set holds no embedded objects.", node, place)
        }
        switch value {
        case .list, .dictionary: throw Misfit("a set holds no collections.", node, place)
        case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid, .link:
          break
        }
        values.insert(value)
      }
      return .set(values)
    case .dictionary:
      guard case .object(let members) = node.content else {
        throw Misfit("expected an object, found \(node.summary).", node, place)
      }
      var entries: [String: StateDump.Item] = [:]
      for (key, value) in members { entries[key] = try element(value, property, "\(place)[\"\(key)\"]") }
      return .dictionary(entries)
    }
  }

  private func element(_ node: JSONNode, _ property: Property, _ place: String) throws -> StateDump.Item {
    let isLinkSlot = property.type == .object && (property.collection == .single || property.collection == .dictionary)
    if case .null = node.content {
      guard property.isOptional || property.type == .any || isLinkSlot else {
        throw Misfit("the value is required and cannot be null.", node, place)
      }
      return .value(.null)
    }
    switch property.type {
    case .any: return .value(try mixed(node, place))
    case .object:
      guard let name = property.objectClassName else { return .value(try mixed(node, place)) }
      guard let target = classes[name] else { throw Misfit("there is no class \(name).", node, place) }
      if target.kind == .embedded { return .embedded(try fields(node, target, place)) }
      return .value(.link(ObjectReference(className: name, key: try key(node, target, place))))
    case .int, .bool, .string, .data, .date, .float, .double, .linkingObjects, .objectId, .decimal128, .UUID:
      return .value(try scalar(node, property.type, place))
    }
  }

  func scalar(_ node: JSONNode, _ type: PropertyType, _ place: String) throws -> Value {
    let text: String
    switch (node.content, type) {
    case (.number(let number), .int), (.number(let number), .float), (.number(let number), .double),
      (.number(let number), .decimal128):
      text = number
    case (.bool(let value), .bool): return .bool(value)
    case (.string(let string), .int), (.string(let string), .bool):
      throw Misfit("expected \(ScalarText.expectation(type)), found the text \"\(string)\".", node, place)
    case (.string(let string), _): text = string
    case (.null, _), (.bool, _), (.number, _), (.array, _), (.object, _):
      throw Misfit("expected \(ScalarText.expectation(type)), found \(node.summary).", node, place)
    }
    guard let value = ScalarText.value(text, type) else {
      throw Misfit("expected \(ScalarText.expectation(type)), found \(node.summary).", node, place)
    }
    return value
  }

  /// The key of an object of a class.
  func key(_ node: JSONNode, _ object: ObjectSchema, _ place: String) throws -> ObjectKey {
    switch node.content {
    case .object(let members):
      if members.count == 1, members[0].name == "$key" {
        guard case .null = members[0].value.content else { return try key(members[0].value, object, place) }
        if object.primaryKeyProperty?.isOptional == true { return .null }
      }
    case .number(let text), .string(let text):
      if case .string = node.content, object.primaryKeyProperty?.type == .int { break }
      if case .number = node.content, object.primaryKeyProperty?.type != .int { break }
      if let key = KeyText.key(text, of: object) { return key }
    case .null, .bool, .array: break
    }
    throw Misfit(
      "expected \(KeyText.expectation(object)), the key of an object of class \(object.className), found \(node.summary).",
      node, place)
  }

  /// A value that carries its own type.
  func mixed(_ node: JSONNode, _ place: String) throws -> Value {
    switch node.content {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .string(let value): return .string(value)
    case .number(let text):
      if let value = Int64(text) { return .int(value) }
      return .double(Double(text) ?? 0)
    case .array(let nodes): return .list(try nodes.enumerated().map { try mixed($1, "\(place)[\($0)]") })
    case .object(let members):
      if members.count == 1, members[0].name.hasPrefix("$") { return try tagged(members[0], node, place) }
      return .dictionary(try dictionary(members, place))
    }
  }

  private func dictionary(_ members: [(name: String, value: JSONNode)], _ place: String) throws -> [String: Value] {
    var entries: [String: Value] = [:]
    for (name, value) in members { entries[name] = try mixed(value, "\(place)[\"\(name)\"]") }
    return entries
  }

  private func tagged(_ member: (name: String, value: JSONNode), _ node: JSONNode, _ place: String) throws -> Value {
    if let type = Self.types[member.name] { return try scalar(member.value, type, place) }
    switch (member.name, member.value.content) {
    case ("$dictionary", .object(let members)): return .dictionary(try dictionary(members, place))
    case ("$link", .object):
      guard let name = member.value["class"]?.string, let target = classes[name], let key = member.value["key"] else {
        throw Misfit("a link names a class of the schema and a key.", node, place)
      }
      return .link(ObjectReference(className: name, key: try self.key(key, target, place)))
    default: throw Misfit("'\(member.name)' is no type of a value.", node, place)
    }
  }
}
