import DataModel
import GraphQL
import QueryLanguage

/// The field `_linkingObjects`: any inverse relationship, declared or not.
extension RowBatch {
  func linkingObjects(_ field: FieldCall) throws -> FieldColumn {
    let name = field.arguments["objectType"]?.string ?? ""
    let property = field.arguments["property"]?.string ?? ""
    guard let origin = reading.model.model(named: name), origin.isTopLevel else {
      throw GraphQLError("There is no class \"\(name)\" whose objects could link to this one.", code: "BAD_ARGUMENT")
    }
    let known = origin.field(named: property) ?? origin.fields.first { $0.property.name == property }
    guard let known, known.property.type == .object, known.target == type.className else {
      throw GraphQLError(
        "\"\(origin.typeName)\" has no property \"\(property)\" that links to \"\(type.typeName)\".",
        code: "BAD_ARGUMENT")
    }
    let lists = try backlinks { row, rows in
      try table.table.appendBacklinks(of: row, from: origin.className, property: known.position, to: &rows)
    }
    let found = try objects(lists, of: origin, field, areLinked: false)
    guard reading.model.options.includesCount else { return .objects(found.batch, .lists(found.offsets)) }
    return .objects(
      CollectionBatch(
        typeName: reading.model.derived[origin.typeName, .collection], counts: found.counts, items: found.batch,
        offsets: found.offsets), .one)
  }
}

/// Collections with their counts, for services whose option `includesCount` is on.
struct CollectionBatch: ObjectBatch {
  let typeName: String
  /// The objects of each collection before `skip` and `take`.
  let counts: [Int]
  let items: RowBatch
  let offsets: [Int]

  var count: Int { counts.count }
  var types: BatchTypes { .all(typeName) }

  func resolve(_ field: FieldCall) -> FieldColumn {
    field.name == "count" ? .values(counts.map { .int(Int64($0)) }) : .objects(items, .lists(offsets))
  }
}
