import DataModel

extension RealmView {
  /// The classes as queries see them: declared classes by the names in code, all others by the stored names.
  var querySchema: Schema {
    let catalog = self.catalog
    if let known = knownSchema, known.revision == catalog.revision, known.classes == accesses.count {
      return known.schema
    }
    let declared = ModelSchema(accesses.values.map(\.binding.type), isClosed: false).schema
    let schema = Schema(readView.schema.objectSchema.map { declared[$0.className] ?? $0 })
    knownSchema = (catalog.revision, accesses.count, schema)
    querySchemaRevision &+= 1
    return schema
  }

  /// The classes that the realm was opened with. A configuration without object types gives the classes of the program,
  /// and the file's other classes by the stored names.
  var schema: Schema {
    let program = configuration.model.schema
    if configuration.objectTypes != nil { return program }
    return Schema(
      querySchema.objectSchema.map { known in
        accesses.values.contains { $0.layout.name == known.className } ? known : program[known.className] ?? known
      })
  }
}
