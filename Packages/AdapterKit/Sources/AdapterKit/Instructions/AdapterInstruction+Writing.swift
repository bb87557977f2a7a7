import ChangesetOT
import DataModel

extension Target {
  init(_ place: AdapterPlace) {
    self.init(object: place.object, field: place.property, path: place.path.map(PathElement.init))
  }
}

extension PathElement {
  init(_ step: AdapterPlace.Step) {
    switch step {
    case .index(let index): self = .index(UInt32(clamping: index))
    case .name(let name): self = .name(name)
    }
  }
}

extension Payload {
  /// The payload of a value; nil for a collection with content, which is written step by step.
  init?(_ value: AdapterValue) {
    switch value {
    case .value(let value):
      guard let payload = Payload(value) else { return nil }
      self = payload
    case .embedded: self = .objectValue
    case .emptyCollection(.list): self = .list
    case .emptyCollection(.dictionary): self = .dictionary
    case .emptyCollection(.set), .emptyCollection(.single): return nil
    }
  }
}

extension AddTable {
  /// The declaration of a class; nil when its primary key cannot be one.
  init?(_ schema: ObjectSchema) {
    var key: PrimaryKeyColumn?
    if let property = schema.primaryKeyProperty {
      guard let type = ObjectKeyType(property.type) else { return nil }
      key = PrimaryKeyColumn(field: property.name, type: type, isNullable: property.isOptional)
    }
    self.init(table: schema.className, kind: schema.kind, primaryKey: key)
  }
}

extension ObjectKeyType {
  init?(_ type: PropertyType) {
    switch type {
    case .int: self = .int
    case .string: self = .string
    case .objectId: self = .objectId
    case .UUID: self = .uuid
    case .bool, .data, .date, .float, .double, .object, .linkingObjects, .any, .decimal128: return nil
    }
  }
}

extension AddColumn {
  /// The declaration of a property.
  init(_ property: Property, of className: String) {
    let type: PayloadType? =
      switch property.type {
      case .int: .int
      case .bool: .bool
      case .string: .string
      case .data: .data
      case .date: .timestamp
      case .float: .float
      case .double: .double
      case .object: .link
      case .objectId: .objectId
      case .decimal128: .decimal128
      case .UUID: .uuid
      case .any, .linkingObjects: nil
      }
    self.init(
      table: className, field: property.name, type: type,
      isNullable: property.isOptional || (property.type == .object && property.collection == .single),
      collection: property.collection, linkTarget: property.objectClassName)
  }
}
