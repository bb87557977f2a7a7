import DataModel
import GraphQL
import QueryLanguage

/// The root of queries over one version of a realm.
struct QueryRoot: ObjectBatch {
  let reading: RealmReading
  let roots: RootFields
  let subscriptions: (any QuerySubscriptions)?

  var count: Int { 1 }
  var types: BatchTypes { .all("Query") }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    switch roots.query[field.name] {
    case .objects(let type): try reading.collection(type, field)
    case .object(let type): try reading.object(type, field)
    case .subscriptions: .values([.list(try listed(field).map { .object(ListedSubscription($0)) })])
    case nil: .values([.bool(true)])
    }
  }

  private func listed(_ field: FieldCall) throws -> [QuerySubscription] {
    let all = try subscriptions?.all() ?? []
    guard let name = field.arguments["name"]?.string else { return all }
    return all.filter { $0.name == name }
  }
}

extension RealmReading {
  /// The objects that a root field asks for.
  func collection(_ type: ClassModel, _ field: FieldCall) throws -> FieldColumn {
    let selection = try CollectionSelection(field, type, self)
    guard model.options.includesCount else {
      let rows = try selection.rows()
      return .objects(try batch(type, rows), .lists([0, rows.count]))
    }
    let typeName = model.derived[type.typeName, .collection]
    let asked = field.fields(on: typeName).map(\.name)
    let rows = asked.contains("items") ? try selection.rows() : []
    return .objects(
      CollectionBatch(
        typeName: typeName, counts: [asked.contains("count") ? try selection.count() : 0], items: try batch(type, rows),
        offsets: [0, rows.count]), .one)
  }

  /// The object with the key that a root field names.
  func object(_ type: ClassModel, _ field: FieldCall) throws -> FieldColumn {
    let row = try key(type, field.arguments[type.keyName] ?? .null).flatMap {
      try table(type.className).table.row(forKey: $0)
    }
    guard let row, readable.mayQuery(type.className), try readable.isReadable(row, of: type.className) else {
      return .objects(try batch(type, []), .optional([-1]))
    }
    return .objects(try batch(type, [row]), .optional([0]))
  }

  /// The key that an argument names.
  func key(_ type: ClassModel, _ given: GraphQLValue) throws -> ObjectKey? { try type.objectKey(given) }
}
