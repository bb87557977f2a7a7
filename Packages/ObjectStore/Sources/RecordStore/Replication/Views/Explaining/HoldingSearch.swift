import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine

/// Finds why the view of one device holds an object: the query that selects it, or the shortest chain of links and
/// includes from an object that a query selects.
///
/// LIMIT and DISTINCT count: their queries are evaluated once each. Used from one thread.
final class HoldingSearch {
  /// Objects that are looked at to find the one through which the object is held.
  private static let mostHolders = 10_000

  private let queries: RealmQueries
  private let state: ReadViewQuerySource
  private let lists: StatePermissions
  /// The rows of the queries that sort, drop duplicates or cut off, by class and number.
  private var ordered: [String: [Int: Set<QueryRow>]] = [:]

  init(_ queries: RealmQueries, _ state: ReadViewQuerySource) {
    self.queries = queries
    self.state = state
    lists = StatePermissions(state)
  }

  // MARK: Subscriptions

  /// The outcome of each query for the class of an object; empty when there is none.
  func outcomes(for row: ClassRow, _ layout: ClassLayout) throws -> [ExplainedDevice.Query] {
    guard let selection = queries.selections[layout.name], !selection.isImplied else { return [] }
    let isReadable = try queries.isReadable(row.row.rawValue, layout, lists)
    return try selection.queries.enumerated().map { number, query in
      var outcome = ExplainedDevice.Outcome.differs
      if try query.plan.matches(row.row.rawValue, in: state) {
        if !isReadable {
          outcome = .unreadable
        } else {
          outcome = try isAmong(number, query, row, selection) ? .selects : .cutOff
        }
      }
      return ExplainedDevice.Query(text: query.plan.text, outcome: outcome)
    }
  }

  private func isAmong(
    _ number: Int, _ query: KeyOrderedQuery, _ row: ClassRow, _ selection: RealmQueries.Selection
  ) throws -> Bool {
    guard query.plan.hasOrderingClauses else { return true }
    let name = selection.layout.name
    if let known = ordered[name]?[number] { return known.contains(row.row.rawValue) }
    let rows = Set(try query.rows(in: state) { try queries.isReadable($0, selection.layout, lists) })
    ordered[name, default: [:]][number] = rows
    return rows.contains(row.row.rawValue)
  }

  /// Whether one query of a class selects the object in a row.
  private func selects(
    _ number: Int, _ query: KeyOrderedQuery, _ row: ClassRow, _ selection: RealmQueries.Selection
  ) throws -> Bool {
    try queries.isReadable(row.row.rawValue, selection.layout, lists) && query.plan.matches(row.row.rawValue, in: state)
      && isAmong(number, query, row, selection)
  }

  /// The reason for which an object is held by itself or by an INCLUDE, whatever links to it.
  private func start(_ row: ClassRow, _ layout: ClassLayout) throws -> ExplainedDevice.Way? {
    if let selection = queries.selections[layout.name] {
      for (number, query) in selection.queries.enumerated() where try selects(number, query, row, selection) {
        return selection.isImplied ? .implied : .selected(query: query.plan.text)
      }
    }
    guard queries.permissions?.maySubscribe(to: layout.name) ?? true,
      try queries.isReadable(row.row.rawValue, layout, lists)
    else { return nil }
    for selection in queries.selections.values.sorted(by: { $0.layout.name < $1.layout.name })
    where selection.included.contains(layout.name) {
      for (number, query) in selection.queries.enumerated() {
        guard let targets = try query.objects(including: row, state) else { return .tooManyHolders }
        for target in targets {
          let target = ClassRow(table: selection.layout.table, row: RowKey(target))
          if try selects(number, query, target, selection), let object = try state.object(in: target) {
            return .included(query: query.plan.text, of: object)
          }
        }
      }
    }
    return nil
  }

  // MARK: Links

  /// The reason for which an object is held; nil when it is not.
  ///
  /// - Complexity: O(*n*) in the objects from which it can be reached.
  func way(to row: ClassRow) throws -> ExplainedDevice.Way? {
    /// The row that a row leads to, over a field.
    var next: [ClassRow: (row: ClassRow, field: String)] = [:]
    var seen: Set<ClassRow> = [row]
    var pending = [row]
    var position = 0
    while position < pending.count {
      let found = pending[position]
      position += 1
      guard let layout = state.catalog[found.table] else { continue }
      if layout.kind == .topLevel {
        guard queries.permissions?.mayRead(layout.name) ?? true else { continue }
        if let start = try start(found, layout) {
          let links = try chain(from: found, next)
          return links.isEmpty ? start : .linked(links, start: start)
        }
      }
      guard queries.followsLinks || layout.kind == .embedded else { continue }
      for incoming in state.catalog.incoming(found.table) {
        for origin in try state.readView.origins(incoming.field, of: found.table, found.row) {
          let holder = ClassRow(table: incoming.layout.table, row: origin)
          guard seen.insert(holder).inserted else { continue }
          next[holder] = (found, incoming.field.name)
          pending.append(holder)
        }
      }
      if seen.count > Self.mostHolders { return .tooManyHolders }
    }
    return nil
  }

  /// The links from an object on; those through embedded objects are one.
  private func chain(
    from first: ClassRow, _ next: [ClassRow: (row: ClassRow, field: String)]
  ) throws -> [ExplainedDevice.Link] {
    var links: [ExplainedDevice.Link] = []
    var row = first
    while let step = next[row] {
      if state.catalog[row.table]?.kind == .embedded, !links.isEmpty {
        links[links.count - 1].field += "." + step.field
      } else if let holder = try state.object(in: row) {
        links.append(ExplainedDevice.Link(holder: holder, field: step.field))
      }
      row = step.row
    }
    return links
  }
}
