/// The kind of the objects of a class.
public enum ObjectKind: UInt8, Sendable, Hashable {
  /// Objects that stand by themselves.
  case topLevel = 0
  /// Objects that live inside exactly one parent and die with it.
  case embedded = 1
  /// Objects that are written and uploaded but never kept or read.
  case asymmetric = 2
}

/// One class: its name, kind, properties and primary key.
public struct ObjectSchema: Hashable, Sendable {
  /// The name of the class, without any storage prefix.
  public var className: String
  /// The kind of its objects.
  public var kind: ObjectKind
  /// In declaration order.
  public var properties: [Property]
  /// The name of the primary key property, nil when the class has none.
  public var primaryKey: String?

  /// A class; nothing is checked before ``Schema/validate()``.
  public init(className: String, kind: ObjectKind = .topLevel, primaryKey: String? = nil, properties: [Property]) {
    self.className = className
    self.kind = kind
    self.properties = properties
    self.primaryKey = primaryKey
  }

  /// The property called `name` in code.
  /// - Complexity: O(*n*) for *n* properties.
  public subscript(name: String) -> Property? { properties.first { $0.name == name } }

  /// The property that is the primary key.
  public var primaryKeyProperty: Property? { primaryKey.flatMap { self[$0] } }
}

/// The classes of one realm.
public struct Schema: Hashable, Sendable {
  /// In declaration order; names are distinct after ``validate()``.
  public var objectSchema: [ObjectSchema]

  /// A schema; nothing is checked before ``validate()``.
  public init(_ objectSchema: [ObjectSchema] = []) { self.objectSchema = objectSchema }

  /// The class called `className`.
  /// - Complexity: O(*n*) for *n* classes.
  public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }

  /// Checks that names are distinct, link targets exist and every declaration is possible.
  ///
  /// - Throws: ``DataModelError`` naming the first class and property that do not fit.
  /// - Complexity: O(*n* · *m*) for *n* classes and *m* links.
  public func validate() throws(DataModelError) {
    var classNames: Set<String> = []
    for object in objectSchema where !classNames.insert(object.className).inserted {
      throw .duplicateClass(object.className)
    }
    for object in objectSchema {
      var names: Set<String> = []
      for property in object.properties {
        guard names.insert(property.name).inserted else {
          throw .duplicateProperty(className: object.className, property: property.name)
        }
        try validate(property, of: object)
      }
      if let key = object.primaryKey {
        try validatePrimaryKey(key, of: object)
      }
    }
  }

  private func validate(_ property: Property, of object: ObjectSchema) throws(DataModelError) {
    func refuse(_ reason: String) -> DataModelError {
      .invalidProperty(className: object.className, property: property.name, reason: reason)
    }
    switch property.type {
    case .object:
      guard let target = property.objectClassName else { throw refuse("a link names the class it links to.") }
      guard let targetSchema = self[target] else {
        throw .unknownLinkTarget(className: object.className, property: property.name, target: target)
      }
      if property.collection == .single, !property.isOptional { throw refuse("a single link is optional.") }
      if property.collection == .set, targetSchema.kind == .embedded {
        throw refuse("a set cannot hold embedded objects; use a list.")
      }
    case .linkingObjects:
      guard let target = property.objectClassName, let origin = property.originPropertyName,
        let forward = self[target]?[origin]
      else { throw refuse("the inverse relationship names no property of the schema.") }
      guard forward.type == .object, forward.objectClassName == object.className else {
        throw refuse("the property at the other end does not link to this class.")
      }
    case .int, .bool, .string, .data, .date, .float, .double, .any, .objectId, .decimal128, .UUID:
      if property.objectClassName != nil { throw refuse("only links name a class.") }
    }
    if property.columnName.utf8.count > 63 { throw refuse("its name is longer than 63 bytes.") }
  }

  private func validatePrimaryKey(_ key: String, of object: ObjectSchema) throws(DataModelError) {
    func refuse(_ reason: String) -> DataModelError {
      .invalidProperty(className: object.className, property: key, reason: reason)
    }
    guard let property = object[key] else { throw refuse("it is named as primary key but not declared.") }
    guard object.kind != .embedded else { throw refuse("embedded objects have no primary key.") }
    guard property.type.canBePrimaryKey, property.collection == .single else {
      throw refuse("a primary key is an Int, a String, an ObjectId or a UUID.")
    }
  }
}
