import DataModel

extension ReadView {
  /// The classes of the file as a schema: properties in the order of ``ClassLayout/fields``.
  package var schema: Schema { Schema(catalog.classes.map(\.schema)) }
}

extension ClassLayout {
  /// The class as the file has it: properties by their stored names.
  var schema: ObjectSchema {
    ObjectSchema(className: name, kind: kind, primaryKey: keyField?.name, properties: fields.map(\.property))
  }
}

extension FieldLayout {
  /// The field as a property.
  package var property: Property {
    Property(
      name: name, type: type, collection: collection, objectClassName: target.flatMap { $0.isEmpty ? nil : $0 },
      isOptional: isNullable, isIndexed: index != nil)
  }
}
