import DataModel
import RecordStore

/// The schema of a model class, and the classes that it links to.
struct ClassDeclaration: Sendable {
  let schema: ObjectSchema
  /// The number of the primary key among all properties, inverse relationships included; nil for none.
  let primaryKey: Int?
  let linkedTypes: [ObjectBase.Type]

  /// A class of a file, with its stored names.
  init(_ layout: ClassLayout) {
    schema = ObjectSchema(
      className: layout.name, kind: layout.kind, primaryKey: layout.keyField?.name,
      properties: layout.fields.map(\.property))
    primaryKey = layout.keyField.flatMap { key in layout.fields.firstIndex { $0.column == key.column } }
    linkedTypes = []
  }

  /// A model class. A declaration that breaks a rule stops the program.
  init(_ binding: ClassBinding) {
    let type = binding.type
    let name = type.className()
    let prototype = type.init()
    let memory = UnsafeRawPointer(Unmanaged.passUnretained(prototype).toOpaque())
    let mapping = type.propertiesMapping()
    let indexed = Set(type.indexedProperties())
    var key = type.primaryKey()
    var properties: [Property] = []
    var linkedTypes: [ObjectBase.Type] = []
    for bound in binding.properties {
      let kind = bound.access.propertyType
      let options = bound.access.options(memory + bound.offset)
      if options.contains(.primaryKey) {
        rule(
          key == nil || key == bound.name,
          "Properties '\(bound.name)' and '\(key ?? "")' are both marked as the primary key of '\(name)'")
        key = bound.name
      }
      if let linked = kind.objectType { linkedTypes.append(linked) }
      let isSingleLink = kind.type == .object && kind.collection == .single
      rule(
        !isSingleLink || kind.isOptional, "Object property '\(bound.name)' must be marked as optional.")
      rule(
        kind.collection == .single || kind.hasFallback(),
        "Property '\(name).\(bound.name)' has elements of a type that may not stand for what is stored, so they must be optional, of a PersistableEnum, or of a type for which the default of what is stored stands."
      )
      properties.append(
        Property(
          name: bound.name, type: kind.type, collection: kind.collection,
          objectClassName: kind.objectType?.className(),
          originPropertyName: bound.access.originProperty(memory + bound.offset),
          isOptional: kind.isOptional, isIndexed: options.contains(.indexed) || indexed.contains(bound.name),
          columnName: mapping[bound.name]))
    }
    rule(!properties.isEmpty, "Class '\(name)' declares no properties. Mark them with @Persisted.")
    schema = ObjectSchema(
      className: name, kind: type.kind, primaryKey: key,
      properties: properties)
    primaryKey = key.flatMap { key in properties.firstIndex { $0.name == key } }
    rule(
      key == nil || primaryKey != nil, "Class '\(name)' names '\(key ?? "")' as primary key and does not declare it.")
    if let key, let primaryKey {
      let property = properties[primaryKey]
      rule(
        [.int, .string, .objectId, .UUID].contains(property.type) && property.collection == .single,
        "Property '\(key)' cannot be made the primary key of '\(name)' because it is not a 'string', 'int', 'objectId', or 'uuid' property."
      )
    }
    self.linkedTypes = linkedTypes
    // Keeps the prototype until its memory was read.
    withExtendedLifetime(prototype) {}
  }
}

extension ObjectBase {
  /// The kind of class, by its base class.
  static var kind: ObjectKind {
    if self is EmbeddedObject.Type { return .embedded }
    return self is AsymmetricObject.Type ? .asymmetric : .topLevel
  }
}
