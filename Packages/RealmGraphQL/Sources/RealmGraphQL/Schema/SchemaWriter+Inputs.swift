import DataModel
import GraphQL

/// The types of arguments.
extension SchemaWriter {
  func inputValue(_ field: FieldModel) -> TypeReference {
    .named(Name(field.target.map { model.derived[model[$0]?.typeName ?? $0, .input] } ?? base(field)))
  }

  /// The elements of a collection as arguments.
  private func elementType(_ field: FieldModel) -> TypeReference {
    if field.property.collection == .dictionary {
      return .nonNull(.named(Name(model.derived[base(field), .entryInput])))
    }
    let mayBeNull = (field.property.isOptional && field.target == nil) || field.property.type == .any
    return mayBeNull ? inputValue(field) : .nonNull(inputValue(field))
  }

  mutating func addInput(of type: ClassModel) {
    var fields: [InputValueDefinition] = []
    for field in type.fields where field.property.type != .linkingObjects {
      let isKey = type.key?.position == field.position
      let value: TypeReference =
        field.property.collection == .single ? inputValue(field) : .list(elementType(field))
      fields.append(.init(Name(field.name), isKey && !field.property.isOptional ? .nonNull(value) : value))
    }
    if fields.isEmpty { fields.append(.init("_isEmpty", "Boolean", description: "The class has no properties.")) }
    types.append(TypeDefinition(.inputObject, Name(model.derived[type.typeName, .input]), inputFields: fields))
  }

  mutating func addEdit(of type: ClassModel) {
    let fields = type.fields.filter(\.isEditable).map { field in
      InputValueDefinition(Name(field.name), .named(Name(editType(of: field))))
    }
    types.append(
      TypeDefinition(
        .inputObject, Name(model.derived[type.typeName, .edit]),
        description: "One change of one collection.", directives: [Directive("oneOf")], inputFields: fields))
  }

  private mutating func editType(of field: FieldModel) -> String {
    let use: DerivedNames.Use =
      switch field.property.collection {
      case .single, .list: .listEdit
      case .set: .setEdit
      case .dictionary: .dictionaryEdit
      }
    let name = model.derived[base(field), use]
    guard edits.insert(name).inserted else { return name }
    let elements = TypeReference.nonNull(.list(elementOfEdit(field)))
    var fields: [InputValueDefinition]
    switch use {
    case .setEdit: fields = [.init("add", elements), .init("remove", elements)]
    case .dictionaryEdit: fields = [.init("put", elements), .init("remove", .list("String!"))]
    default:
      fields = [
        .init("insert", elements, description: "At `at`, or at the end."),
        .init("replace", elements, description: "From `at` on."),
        .init("remove", "Int", description: "So many elements from `at` on."),
        .init("move", "Int", description: "The element at `at` to this position."),
      ]
    }
    fields = fields.map { .init($0.name, $0.type.nullable, description: $0.description) }
    fields += [
      .init("assign", elements.nullable, description: "All elements."),
      .init("clear", "Boolean", description: "True removes all elements."),
    ]
    if use == .listEdit { fields.append(.init("at", "Int", description: "A position from 0.")) }
    types.append(TypeDefinition(.inputObject, Name(name), inputFields: fields))
    return name
  }

  /// Elements of an edit may be null where some property of the type has such elements.
  private func elementOfEdit(_ field: FieldModel) -> TypeReference {
    field.target == nil && field.property.collection != .dictionary ? inputValue(field) : elementType(field)
  }
}
