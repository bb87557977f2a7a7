import ChangesetOT
import DataModel
import QueryLanguage
import StorageEngine
import TestKit

@testable import RecordStore

/// A past state made of the present and the inverses, against a snapshot of that very version.
struct PastComparison {
  let past: PastQuerySource
  let expected: ReadViewQuerySource
  /// The first difference.
  private(set) var complaint: String?

  init(_ past: PastQuerySource, _ expected: ReadViewQuerySource) {
    self.past = past
    self.expected = expected
  }

  private mutating func compare<T: Equatable>(_ found: T, _ wanted: T, _ subject: @autoclosure () -> String) {
    if complaint == nil, found != wanted { complaint = "\(subject()): \(found)\n--- expected\n\(wanted)" }
  }

  // MARK: Queries

  /// - Returns: whether the query found something.
  mutating func compare(_ query: KeyOrderedQuery, _ text: String) throws -> Bool {
    let found = try keys(try query.rows(in: past), query.plan, past)
    let wanted = try keys(try query.rows(in: expected), query.plan, expected)
    compare(found, wanted, text)
    if query.plan.limit == nil {
      compare(try query.plan.count(in: past), wanted.count, "count of \(text)")
      compare(try query.plan.rows(in: past).count, wanted.count, "rows of \(text)")
    }
    return !wanted.isEmpty
  }

  /// Keys in the order of the clauses; in that of the keys without any.
  private func keys(_ rows: [QueryRow], _ plan: QueryPlan, _ source: any QuerySource) throws -> [String] {
    let table = try source.table(plan.className)
    let keys = try rows.map { try table?.objectKey(of: $0).map { "\($0)" } ?? "no key" }
    return plan.hasOrderingClauses ? keys : keys.sorted()
  }

  // MARK: Objects

  /// Every object with its values, its backlinks and its place.
  mutating func compareObjects() throws {
    for layout in expected.catalog.classes {
      guard let table = try past.table(layout.name), let other = try expected.table(layout.name) else { continue }
      compare(table.rowCount, other.rowCount, "objects of \(layout.name)")
      compare(try Self.rows(table).count, other.rowCount, "live rows of \(layout.name)")
      let counts = try Self.rows(table).map { try table.incomingLinkCount(of: $0) }.sorted()
      let otherCounts = try Self.rows(other).map { try other.incomingLinkCount(of: $0) }.sorted()
      compare(counts, otherCounts, "links to \(layout.name)")
      guard layout.kind == .topLevel else { continue }
      for row in try Self.rows(other) {
        guard complaint == nil, let key = try other.objectKey(of: row) else { continue }
        try compareObject(ObjectReference(className: layout.name, key: key), layout, table, other, row)
      }
    }
  }

  /// Few fillers are looked at: nothing happens to them.
  private mutating func compareObject(
    _ object: ObjectReference, _ layout: ClassLayout, _ table: any QueryTable, _ other: any QueryTable, _ row: QueryRow
  ) throws {
    if case .int(let key) = object.key, key > 1_010 { return }
    guard let pastRow = try past.row(of: object) else {
      complaint = "\(object) is missing"
      return
    }
    compare(try past.object(in: pastRow), object, "object in \(pastRow)")
    compare(try table.row(forKey: object.key), pastRow.row.rawValue, "row of \(object)")
    compare(try past.fields(of: object), try expected.fields(of: object), "fields of \(object)")
    let embedded = layout.fields.map { past.catalog[$0.target ?? ""]?.kind == .embedded }
    for (property, field) in layout.fields.enumerated() where !embedded[property] {
      let value = try Self.value(property, field, pastRow.row.rawValue, table)
      compare(value, try Self.value(property, field, row, other), "\(object).\(field.name)")
    }
    for incoming in past.catalog.incoming(layout.table) {
      guard let property = incoming.layout.number(of: incoming.field.name) else { continue }
      let found = try Self.origins(incoming.layout, property, of: pastRow.row.rawValue, table, past)
      let wanted = try Self.origins(incoming.layout, property, of: row, other, expected)
      compare(found, wanted, "backlinks of \(object) from \(incoming.layout.name).\(incoming.field.name)")
    }
  }

  private static func rows(_ table: any QueryTable) throws -> [QueryRow] {
    var rows: [QueryRow] = []
    for position in 0..<table.clusterCount {
      let cluster = try table.cluster(at: position)
      for slot in 0..<cluster.slotCount {
        let row = cluster.firstRow + QueryRow(slot)
        let word = cluster.liveSlots?.loadUnaligned(fromByteOffset: (slot >> 6) * 8, as: UInt64.self) ?? .max
        guard word >> UInt64(slot & 63) & 1 == 1 else { continue }
        if try table.location(of: row) != nil { rows.append(row) }
      }
    }
    return rows
  }

  private static func value(
    _ property: Int, _ field: FieldLayout, _ row: QueryRow, _ table: any QueryTable
  ) throws -> Value {
    guard let place = try table.location(of: row) else { return .string("no row") }
    let value = try table.cluster(at: place.cluster).value(of: property, slot: place.slot)
    guard field.collection == .set, case .list(let members) = value else { return value }
    return .list(members.sorted { $0.compareInSortOrder($1) < 0 })
  }

  /// The origins of the links to a row: by their keys; of embedded objects only their number.
  private static func origins(
    _ layout: ClassLayout, _ property: Int, of row: QueryRow, _ table: any QueryTable, _ source: any QuerySource
  ) throws -> [String] {
    var rows: [QueryRow] = []
    try table.appendBacklinks(of: row, from: layout.name, property: property, to: &rows)
    guard layout.kind == .topLevel else { return rows.map { _ in "embedded" } }
    let origins = try source.table(layout.name)
    return try rows.map { try origins?.objectKey(of: $0).map { "\($0)" } ?? "no key" }.sorted()
  }

  // MARK: Reachability

  /// The things that can be reached from some objects.
  mutating func compareClosure(from seeds: [ObjectReference]) throws {
    let found = try Self.reached(seeds, past)
    compare(found, try Self.reached(seeds, expected), "reached from \(seeds)")
  }

  private static func reached(_ seeds: [ObjectReference], _ state: some LinkedRows) throws -> [String] {
    var rows: [TableID: [RowKey]] = [:]
    for seed in seeds { if let row = try state.row(of: seed) { rows[row.table, default: []].append(row.row) } }
    let closure = try LinkClosure(from: rows, in: state, limit: 10_000)
    return try closure.rows.flatMap { table, rows in
      try rows.map { row in
        try state.object(in: ClassRow(table: table, row: row)).map { "\($0)" } ?? "no object"
      }
    }.sorted()
  }
}
