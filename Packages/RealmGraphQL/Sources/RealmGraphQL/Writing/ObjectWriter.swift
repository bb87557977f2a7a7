import DataModel
import GraphQL
import RecordStore

/// The fate of an object that has the primary key of an input already.
enum UpdatePolicy: String {
  case none = "NONE"
  case modified = "MODIFIED"
  case all = "ALL"

  init(_ given: GraphQLValue?) { self = given?.string.flatMap { Self(rawValue: $0) } ?? .none }
}

/// Writes inputs as objects, in one transaction.
struct ObjectWriter {
  let model: RealmModel
  let editor: RealmEditor
  let policy: UpdatePolicy

  /// Creates or updates the object of an input, and those of inputs in it.
  ///
  /// - Parameter isNested: whether another object is to link to it. An input of a primary key alone is then a link, which changes
  ///   nothing in an object that is there.
  /// - Throws: `GraphQLError` when the policy or a value refuses it; the errors of the editor.
  func write(_ input: GraphQLValue, of type: ClassModel, isNested: Bool = false) throws -> ObjectReference {
    guard case .object(let members) = input else { throw GraphQLError("An input is an object.", code: "BAD_INPUT") }
    let key = try type.key.map { try type.objectKey(input[$0.name] ?? .null) } ?? editor.makeKey(for: type.className)
    let object = ObjectReference(className: type.className, key: key)
    let isKnown = try editor.contains(object)
    if isNested, members.count == 1, members[0].name == type.key?.name {
      if !isKnown { try editor.create(object) }
      return object
    }
    if isKnown, policy == .none {
      throw GraphQLError(
        "An object of class \"\(type.className)\" with the primary key \(key) exists already; with `updatePolicy: MODIFIED` it is updated.",
        code: "OBJECT_EXISTS")
    }
    if !isKnown { try editor.create(object) }
    try editor.set(try fields(members, of: type, fillsIn: isKnown && policy == .all), of: object)
    return object
  }

  /// The values of an input's members.
  ///
  /// - Parameter fillsIn: whether properties that are not given get their initial values.
  private func fields(
    _ members: [GraphQLValue.Member], of type: ClassModel, fillsIn: Bool
  ) throws -> [String: StateDump.Item] {
    var items: [String: StateDump.Item] = [:]
    for member in members {
      guard let field = type.field(named: member.name) else { continue }
      items[field.property.columnName] = try item(member.value, field, of: type)
    }
    guard fillsIn else { return items }
    for field in type.fields where field.property.type != .linkingObjects && field.position != type.key?.position {
      if items[field.property.columnName] == nil { items[field.property.columnName] = initialItem(field.property) }
    }
    return items
  }

  /// The value of a field.
  func item(_ given: GraphQLValue, _ field: FieldModel, of type: ClassModel) throws -> StateDump.Item {
    switch field.property.collection {
    case .single: return try element(given, field, of: type)
    case .list: return .list(try elements(given, field, of: type))
    case .set: return .set(try values(given, field, of: type))
    case .dictionary: return .dictionary(try entries(given, field, of: type))
    }
  }

  /// The elements of a list.
  func elements(_ given: GraphQLValue, _ field: FieldModel, of type: ClassModel) throws -> [StateDump.Item] {
    try listed(given).map { try element($0, field, of: type) }
  }

  /// The elements of a set.
  func values(_ given: GraphQLValue, _ field: FieldModel, of type: ClassModel) throws -> Set<Value> {
    Set(
      try elements(given, field, of: type).map { item in
        guard case .value(let value) = item else {
          throw GraphQLError("A set holds no embedded objects.", code: "BAD_INPUT")
        }
        return value
      })
  }

  /// The entries of a dictionary; the last of several with one key counts.
  func entries(_ given: GraphQLValue, _ field: FieldModel, of type: ClassModel) throws -> [String: StateDump.Item] {
    var entries: [String: StateDump.Item] = [:]
    for entry in listed(given) {
      entries[entry["key"]?.string ?? ""] = try element(entry["value"] ?? .null, field, of: type)
    }
    return entries
  }

  private func listed(_ given: GraphQLValue) -> [GraphQLValue] {
    given == .null ? [] : given.elements ?? [given]
  }

  private func element(_ given: GraphQLValue, _ field: FieldModel, of type: ClassModel) throws -> StateDump.Item {
    func refusal(_ reason: String) -> GraphQLError {
      GraphQLError("\"\(type.typeName).\(field.name)\": \(reason)", code: "BAD_INPUT")
    }
    guard let name = field.target else {
      guard let value = RealmInput.scalar(given, field.property.type) else {
        throw refusal("the value is no \(RealmScalars.name(field.property.type)).")
      }
      try check(linksOf: value, refusal)
      if value == .null, !field.property.isOptional, field.property.type != .any {
        throw refusal("the property has no null.")
      }
      return .value(value)
    }
    if given == .null { return .value(.null) }
    guard let target = model[name], case .object(let members) = given else { throw refusal("the value is no object.") }
    if target.schema.kind == .embedded {
      return .embedded(try fields(members, of: target, fillsIn: policy != .modified))
    }
    return .value(.link(try write(given, of: target, isNested: true)))
  }

  /// Refuses links in mixed values to objects that are not there: such a link leads nowhere.
  private func check(linksOf value: Value, _ refusal: (String) -> GraphQLError) throws {
    switch value {
    case .link(let target):
      guard model[target.className] != nil, try editor.contains(target) else {
        throw refusal("there is no object \(target) to link to.")
      }
    case .list(let elements): for element in elements { try check(linksOf: element, refusal) }
    case .dictionary(let entries): for entry in entries.values { try check(linksOf: entry, refusal) }
    case .null, .int, .bool, .string, .data, .timestamp, .float, .double, .decimal128, .objectId, .uuid: break
    }
  }

  /// The value that a property has in a new object.
  private func initialItem(_ property: Property) -> StateDump.Item {
    switch property.collection {
    case .list: return .list([])
    case .set: return .set([])
    case .dictionary: return .dictionary([:])
    case .single: break
    }
    if property.isOptional { return .value(.null) }
    switch property.type {
    case .int: return .value(.int(0))
    case .bool: return .value(.bool(false))
    case .string: return .value(.string(""))
    case .data: return .value(.data([]))
    case .date: return .value(.timestamp(Timestamp(seconds: 0)))
    case .float: return .value(.float(0))
    case .double: return .value(.double(0))
    case .objectId: return .value(.objectId(.zero))
    case .decimal128: return .value(.decimal128(Decimal128(0 as Int64)))
    case .UUID: return .value(.uuid(Self.zeroUUID))
    case .any, .object, .linkingObjects: return .value(.null)
    }
  }

  private static let zeroUUID =
    RealmInput.scalar(.string("00000000-0000-0000-0000-000000000000"), .UUID)
    .flatMap { if case .uuid(let uuid) = $0 { uuid } else { nil } } ?? .init()
}
