import DataModel

extension Frame {
  /// The classes of the file as a schema: properties in the order of ``ClassLayout/fields``.
  var schema: Schema {
    Schema(
      catalog.classes.map { layout in
        ObjectSchema(
          className: layout.name, kind: layout.kind, primaryKey: layout.keyField?.name,
          properties: layout.fields.map(\.property))
      })
  }
}

extension FieldLayout {
  /// The field as a property.
  var property: Property {
    Property(
      name: name, type: type, collection: collection, objectClassName: target.flatMap { $0.isEmpty ? nil : $0 },
      isOptional: isNullable, isIndexed: index != nil)
  }
}
