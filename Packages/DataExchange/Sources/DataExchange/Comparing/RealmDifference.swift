public import DataModel
public import RecordStore

/// The differences between two realms, object by object.
///
///     try RealmDifference(left, right).forEach { print($0) }
///     // - Dog[2]
///     // + Dog[3]
///     // ~ Dog[1] age: 9 -> 10
public struct RealmDifference {
  /// One difference; left is the old realm, right the new one.
  public enum Entry: Hashable, Sendable {
    /// A class, or a property of one, that is declared on one side only or differently.
    case schema(String)
    /// An object of the left realm only.
    case removed(ObjectReference)
    /// An object of the right realm only.
    case added(ObjectReference)
    /// An object of both with the fields that differ.
    case changed(ObjectReference, fields: [Field])
  }

  /// A field with its value on each side.
  public struct Field: Hashable, Sendable {
    /// The name of the property.
    public var name: String
    /// The value in the left realm; nil where the property is not declared.
    public var left: StateDump.Item?
    /// The value in the right realm; nil where the property is not declared.
    public var right: StateDump.Item?
  }

  let left: RealmContents
  let right: RealmContents

  /// The comparison of two realms; nothing is read yet.
  public init(_ left: RealmContents, _ right: RealmContents) {
    self.left = left
    self.right = right
  }

  /// Calls `body` with every difference: the schema first, then class by class. Memory does not grow with the number of
  /// objects. O(n log n), n the number of values of both realms.
  ///
  /// - Returns: the number of differences.
  /// - Throws: the error of `body`; `RecordStoreError` when a realm cannot be read.
  @discardableResult
  public func forEach(_ body: (Entry) throws -> Void) throws -> Int {
    var count = 0
    func report(_ entry: Entry) throws {
      count += 1
      try body(entry)
    }
    for line in schemaDifferences() { try report(.schema(line)) }
    for object in left.schema.objectSchema where object.kind != .embedded {
      try left.forEachObject(of: object.className) { record in
        guard let other = try right.object(record.reference) else {
          try report(.removed(record.reference))
          return true
        }
        let fields = Self.differences(record, other, in: object)
        if !fields.isEmpty { try report(.changed(record.reference, fields: fields)) }
        return true
      }
    }
    for object in right.schema.objectSchema where object.kind != .embedded {
      try right.forEachObject(of: object.className) { record in
        if try left.object(record.reference) == nil { try report(.added(record.reference)) }
        return true
      }
    }
    return count
  }

  private static func differences(_ left: ObjectRecord, _ right: ObjectRecord, in object: ObjectSchema) -> [Field] {
    let names = object.properties.map(\.name) + right.fields.keys.filter { object[$0] == nil }.sorted()
    return names.compactMap { name in
      let (before, after) = (left.fields[name], right.fields[name])
      // NaN differs from itself; its text does not.
      if before == after || before?.description == after?.description { return nil }
      return Field(name: name, left: before, right: after)
    }
  }

  private func schemaDifferences() -> [String] {
    var lines: [String] = []
    for object in left.schema.objectSchema {
      guard let other = right.schema[object.className] else {
        lines.append("- class \(object.className)")
        continue
      }
      if object.kind != other.kind || object.primaryKey != other.primaryKey {
        lines.append(
          "~ class \(object.className): \(object.kind), key \(object.primaryKey ?? "none") -> \(other.kind), key \(other.primaryKey ?? "none")"
        )
      }
      for property in object.properties {
        let name = "\(object.className).\(property.name)"
        guard let changed = other[property.name] else {
          lines.append("- property \(name)")
          continue
        }
        if changed != property { lines.append("~ property \(name): \(property.phrase) -> \(changed.phrase)") }
      }
      for property in other.properties where object[property.name] == nil {
        lines.append("+ property \(object.className).\(property.name): \(property.phrase)")
      }
    }
    for object in right.schema.objectSchema where left.schema[object.className] == nil {
      lines.append("+ class \(object.className)")
    }
    return lines
  }
}

extension Property {
  /// The type in one phrase: `list<string?>`, `link to Person`, `int, indexed`.
  public var phrase: String {
    var name = SchemaText.typeNames[type] ?? "\(type)"
    if type == .object { name = objectClassName ?? "any object" }
    if isOptional, type != .object, type != .any { name += "?" }
    switch collection {
    case .single: name = type == .object ? "link to \(name)" : name
    case .list: name = "list<\(name)>"
    case .set: name = "set<\(name)>"
    case .dictionary: name = "dictionary<\(name)>"
    }
    return isIndexed ? name + ", indexed" : name
  }
}

extension RealmDifference.Entry: CustomStringConvertible {
  /// One line with a sign: `-` removed, `+` added, `~` changed.
  public var description: String {
    switch self {
    case .schema(let line): line
    case .removed(let object): "- \(object)"
    case .added(let object): "+ \(object)"
    case .changed(let object, let fields): "~ \(object) " + fields.map(\.description).joined(separator: ", ")
    }
  }
}

extension RealmDifference.Field: CustomStringConvertible {
  /// The name with both values.
  public var description: String { "\(name): \(left?.description ?? "none") -> \(right?.description ?? "none")" }
}
