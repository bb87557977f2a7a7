import DataModel
import GraphQL
import QueryLanguage
import RecordStore

/// Objects of one class, each named by its row. A field of all of them is one column, read cluster by cluster.
struct RowBatch: ObjectBatch, @unchecked Sendable {
  let reading: RealmReading
  let type: ClassModel
  let table: ReadingTable
  let rows: [QueryRow]
  let places: [RowLocation]

  var count: Int { rows.count }
  var types: BatchTypes { .all(type.typeName) }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    if let known = type.field(named: field.name) { return try column(known, field) }
    switch field.name {
    case "_linkingObjects": return try linkingObjects(field)
    case ClassModel.globalKeyName: return .leaves(KeyColumn(self))
    default: return .values(Array(repeating: .bool(true), count: count))
    }
  }

  private func column(_ field: FieldModel, _ call: FieldCall) throws -> FieldColumn {
    switch field.shape {
    case .value: return .leaves(ScalarColumn(self, field))
    case .values: return .leaves(CollectionColumn(self, field))
    case .entries, .objectEntries: return try entries(field)
    case .object: return try link(field)
    case .objects:
      return try lists(of: field, call) { cluster, slot, rows in
        try cluster.appendLinkedRows(of: field.position, slot: slot, to: &rows)
      }
    case .origins:
      let origin = try origin(of: field.property)
      return try lists(
        of: field, call,
        row: { row, rows in
          try table.table.appendBacklinks(of: row, from: origin.className, property: origin.property, to: &rows)
        })
    }
  }

  // MARK: Links

  private func target(_ field: FieldModel) throws -> ClassModel {
    guard let name = field.target, let type = reading.model[name] else {
      throw GraphQLError("\"\(type.typeName).\(field.name)\" leads to no class.")
    }
    return type
  }

  private func link(_ field: FieldModel) throws -> FieldColumn {
    let target = try target(field)
    let targets = try reading.table(target.className)
    var found: [QueryRow] = []
    var positions: [Int] = []
    positions.reserveCapacity(count)
    var links: [QueryRow] = []
    try forEachPlace { cluster, slot in
      links.removeAll(keepingCapacity: true)
      try cluster.appendLinkedRows(of: field.position, slot: slot, to: &links)
      guard let row = links.first, row >= 0, try targets.table.location(of: row) != nil else {
        positions.append(-1)
        return
      }
      positions.append(found.count)
      found.append(row)
    }
    return .objects(try reading.batch(target, found), .optional(positions))
  }

  private func lists(
    of field: FieldModel, _ call: FieldCall, _ append: (any QueryCluster, Int, inout [QueryRow]) throws -> Void
  ) throws -> FieldColumn {
    var lists: [[QueryRow]] = []
    lists.reserveCapacity(count)
    try forEachPlace { cluster, slot in
      var list: [QueryRow] = []
      try append(cluster, slot, &list)
      lists.append(list)
    }
    let found = try objects(lists, of: try target(field), call, areLinked: true)
    return .objects(found.batch, .lists(found.offsets))
  }

  private func lists(
    of field: FieldModel, _ call: FieldCall, row append: (QueryRow, inout [QueryRow]) throws -> Void
  ) throws -> FieldColumn {
    let found = try objects(try backlinks(append), of: try target(field), call, areLinked: false)
    return .objects(found.batch, .lists(found.offsets))
  }

  func backlinks(_ append: (QueryRow, inout [QueryRow]) throws -> Void) throws -> [[QueryRow]] {
    try rows.map { row in
      var list: [QueryRow] = []
      try append(row, &list)
      return list
    }
  }

  /// The batch of lists of rows, as the arguments of their field select them.
  ///
  /// - Parameter areLinked: whether the objects above link to them, which makes them readable.
  /// - Returns: the rows of all lists, the offsets of each, and how many of each match, whatever `skip` and `take` leave out.
  func objects(
    _ lists: [[QueryRow]], of target: ClassModel, _ call: FieldCall, areLinked: Bool
  ) throws -> (batch: RowBatch, offsets: [Int], counts: [Int]) {
    let selection = try CollectionSelection(call, target, reading)
    let table = try reading.table(target.className).table
    var found: [QueryRow] = []
    var offsets = [0]
    var counts: [Int] = []
    for list in lists {
      var present = try list.filter { try $0 >= 0 && table.location(of: $0) != nil }
      if !areLinked { present = try present.filter { try reading.readable.isReadable($0, of: target.className) } }
      let (rows, count) = try selection.rows(among: present)
      found += rows
      offsets.append(found.count)
      counts.append(count)
    }
    return (try reading.batch(target, found), offsets, counts)
  }

  /// The class and the position of the property at the other end of an inverse relationship.
  func origin(of property: Property) throws -> (className: String, property: Int) {
    guard let name = property.objectClassName, let origin = reading.model[name],
      let position = origin.schema.properties.firstIndex(where: { $0.name == property.originPropertyName })
    else { throw GraphQLError("The inverse relationship \"\(property.name)\" names no property.") }
    return (name, position)
  }

  /// Calls `body` with the cluster and the slot of each object.
  func forEachPlace(_ body: (any QueryCluster, Int) throws -> Void) throws {
    var current = -1
    var cluster: (any QueryCluster)?
    for place in places {
      if place.cluster != current || cluster == nil {
        cluster = try table.cluster(at: place.cluster)
        current = place.cluster
      }
      if let cluster { try body(cluster, place.slot) }
    }
  }
}
