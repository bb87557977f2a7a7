import DataExchange
import DataModel
import GraphQL
import QueryLanguage

/// Dictionaries, as lists of entries in the order of the bytes of their keys.
extension RowBatch {
  func entries(_ field: FieldModel) throws -> FieldColumn {
    var batch = EntryBatch(reading: reading, field: field, typeName: "")
    let target = field.target.flatMap { reading.model[$0] }
    batch.target = target
    batch.typeName = reading.model.derived[target?.typeName ?? RealmScalars.name(field.property.type), .entry]
    var offsets = [0]
    try forEachPlace { cluster, slot in
      if case .dictionary(let entries) = try cluster.value(of: field.position, slot: slot) {
        let keys = entries.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        batch.keys += keys
        if target == nil { batch.values += keys.map { entries[$0] ?? .null } }
      }
      if target != nil { try cluster.appendLinkedRows(of: field.position, slot: slot, to: &batch.rows) }
      offsets.append(batch.keys.count)
    }
    return .objects(batch, .lists(offsets))
  }
}

/// Entries of dictionaries.
struct EntryBatch: ObjectBatch {
  let reading: RealmReading
  let field: FieldModel
  var typeName: String
  var keys: [String] = []
  /// The values of a dictionary of values.
  var values: [Value] = []
  /// The rows of a dictionary of objects, and their class.
  var rows: [QueryRow] = []
  var target: ClassModel?

  var count: Int { keys.count }
  var types: BatchTypes { .all(typeName) }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    if field.name == "key" { return .values(keys.map { .string($0) }) }
    guard let target else { return .leaves(ValueColumn(values, self.field.property.type, reading.codec)) }
    let table = try reading.table(target.className).table
    var found: [QueryRow] = []
    let positions = try rows.prefix(count).map { row in
      guard row >= 0, try table.location(of: row) != nil else { return -1 }
      found.append(row)
      return found.count - 1
    }
    return .objects(try reading.batch(target, found), .optional(positions))
  }
}

/// Values in memory.
final class ValueColumn: LeafColumn, @unchecked Sendable {
  private let values: [Value]
  private let type: PropertyType
  private let codec: JSONCodec

  init(_ values: [Value], _ type: PropertyType, _ codec: JSONCodec) {
    self.values = values
    self.type = type
    self.codec = codec
  }

  func write(_ position: Int, to writer: inout JSONWriter) throws -> Bool {
    try RealmJSON.write(values[position], type, codec, to: &writer)
  }
}
