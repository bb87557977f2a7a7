import GraphQL
import QueryLanguage

/// The root of one evaluation of a subscription.
struct SubscriptionRootBatch: ObjectBatch {
  let reading: RealmReading
  let type: ClassModel
  /// The changes, for the second form; nil for the whole result.
  let changes: ChangesBatch?

  var count: Int { 1 }
  var types: BatchTypes { .all("Subscription") }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    if let changes { return .objects(changes, .one) }
    return try reading.collection(type, field)
  }
}

/// The difference of two results, with the objects that are new or changed.
struct ChangesBatch: ObjectBatch {
  let reading: RealmReading
  let type: ClassModel
  let rows: [QueryRow]
  let isInitial: Bool
  let deletions: [Int]
  let insertions: [Int]
  let modifications: [Int]
  var token: String

  var count: Int { 1 }
  var types: BatchTypes { .all(reading.model.derived[type.typeName, .changes]) }
  /// Whether there is something to tell.
  var hasChanges: Bool { isInitial || !(deletions.isEmpty && insertions.isEmpty && modifications.isEmpty) }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    switch field.name {
    case "isInitial": .values([.bool(isInitial)])
    case "count": .values([.int(Int64(rows.count))])
    case "deletions": .values([.list(deletions.map { .int(Int64($0)) })])
    case "insertions": .objects(placed(insertions), .lists([0, insertions.count]))
    case "modifications": .objects(placed(modifications), .lists([0, modifications.count]))
    default: .values([.string(token)])
    }
  }

  private func placed(_ positions: [Int]) -> PlacedBatch {
    PlacedBatch(reading: reading, type: type, positions: positions, rows: positions.map { rows[$0] })
  }
}

/// Objects with their positions in a result.
struct PlacedBatch: ObjectBatch {
  let reading: RealmReading
  let type: ClassModel
  let positions: [Int]
  let rows: [QueryRow]

  var count: Int { positions.count }
  var types: BatchTypes { .all(reading.model.derived[type.typeName, .placed]) }

  func resolve(_ field: FieldCall) throws -> FieldColumn {
    if field.name == "position" { return .values(positions.map { .int(Int64($0)) }) }
    return .objects(try reading.batch(type, rows), .one)
  }
}
