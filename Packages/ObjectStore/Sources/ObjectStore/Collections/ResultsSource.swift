import DataModel
import QueryLanguage
import StorageEngine
import RecordStore

/// The source of a live collection: a base, the stages of a query on it, and the elements found at the view's present
/// state.
///
/// Public for protocols of collections only. Used where the view is confined to.
public final class ResultsSource {
  /// The elements before any stage.
  enum Base {
    /// All objects of a class.
    case table(ClassAccess)
    /// The elements of a collection property: objects of a class, or plain values.
    case collection(CollectionAccessor, ClassAccess?)
    /// The objects of a class that link to one row.
    case incoming(ClassAccess, FieldLayout, target: ClassAccess, RowKey)
  }

  /// A step of the query. Stages apply in order.
  enum Stage {
    /// A filter with sort, distinct and limit clauses, for objects.
    case query(ParsedQuery)
    /// Sorts plain values.
    case sortValues(ascending: Bool)
    /// Drops equal plain values.
    case distinctValues
    /// Filters plain values.
    case filterValues(ValueFilter)
  }

  /// The elements found.
  enum Found {
    case rows([RowKey])
    case values([StoredValue])

    var count: Int {
      switch self {
      case .rows(let rows): rows.count
      case .values(let values): values.count
      }
    }
  }

  let view: RealmView
  let base: Base
  let stages: [Stage]
  private let generation: UInt64
  private var found: (version: UInt64, found: Found)?
  /// The error because of which elements are missing at a version.
  private var failure: (version: UInt64, error: any Error)?
  private var counted: (version: UInt64, count: Int)?
  private var plans: (revision: UInt64, plans: [QueryPlan])?

  init(_ view: RealmView, _ base: Base, stages: [Stage] = []) {
    self.view = view
    self.base = base
    self.stages = stages
    generation = view.detachedGeneration
  }

  /// The class of the elements; nil for plain values.
  var elementAccess: ClassAccess? {
    switch base {
    case .table(let access), .incoming(let access, _, _, _): access
    case .collection(_, let access): access
    }
  }

  /// The list of plain values whose elements are shown without any stage; nil for other sources.
  var listAccessor: CollectionAccessor? {
    guard stages.isEmpty, case .collection(let accessor, nil) = base, accessor.kind == .list else { return nil }
    return accessor
  }

  /// Whether the view was invalidated, or the collection's object deleted.
  var isInvalidated: Bool {
    if generation != view.detachedGeneration { return true }
    if case .collection(let accessor, _) = base { return !accessor.isValid }
    return false
  }

  // MARK: Elements

  var current: Found {
    if let found, found.version == view.dataVersion { return found.found }
    view.checkConfinement()
    let fresh = generation == view.detachedGeneration ? evaluateOrFill() : .rows([])
    found = (view.dataVersion, fresh)
    return fresh
  }

  /// The error because of which ``current`` is incomplete; nil when it is complete.
  var currentFailure: (any Error)? {
    _ = current
    return failure.flatMap { $0.version == view.dataVersion ? $0.error : nil }
  }

  /// The elements found. When the evaluation fails, as many blank elements as were counted: a count that changes during
  /// an iteration would stop the program.
  private func evaluateOrFill() -> Found {
    do {
      let found = try evaluate()
      if let counted, counted.version == view.dataVersion, counted.count != found.count {
        throw Realm.Error.damage("A collection has \(found.count) elements in place of \(counted.count).")
      }
      return found
    } catch {
      failure = (view.dataVersion, view.faults.note(error))
      let count = counted.flatMap { $0.version == view.dataVersion ? $0.count : nil } ?? expectedCount
      return elementAccess == nil
        ? .values(Array(repeating: .null, count: count)) : .rows(Array(repeating: .none, count: count))
    }
  }

  /// The stored count of a base without stages; 0 for other sources.
  private var expectedCount: Int {
    guard stages.isEmpty else { return 0 }
    switch base {
    case .table(let access): return view.reader.rowCount(of: access.layout.table)
    case .collection(let accessor, _): return accessor.isValid ? accessor.count : 0
    case .incoming: return 0
    }
  }

  var rows: [RowKey] {
    if case .rows(let rows) = current { return rows }
    return []
  }

  var count: Int {
    if let found, found.version == view.dataVersion { return found.found.count }
    if let counted, counted.version == view.dataVersion { return counted.count }
    view.checkConfinement()
    guard generation == view.detachedGeneration else { return 0 }
    guard case .table(let access) = base, stages.count < 2 else { return current.count }
    let count = view.reading(or: 0) {
      guard let plan = try queryPlans().first else { return view.reader.rowCount(of: access.layout.table) }
      return try plan.count(in: querySource)
    }
    counted = (view.dataVersion, count)
    return count
  }

  /// The first element; nil when there is none. O(1) for a class without stages.
  var first: StoredValue? {
    if let found, found.version == view.dataVersion { return found.found.count > 0 ? stored(0) : nil }
    guard case .table(let access) = base, stages.isEmpty else { return current.count > 0 ? stored(0) : nil }
    view.checkConfinement()
    let reader = view.reader
    return view.reading(or: nil) {
      for index in 0..<reader.clusterCount(of: access.layout.table) {
        guard let cluster = try reader.cluster(index, of: access.layout.table) else { continue }
        var first: Int?
        cluster.forEachLiveSlot { if first == nil { first = $0 } }
        if let first { return .link(access.layout.table, RowKey(clusterIndex: index, slot: first)) }
      }
      return nil
    }
  }

  /// The element at a position.
  func stored(_ position: Int) -> StoredValue {
    switch current {
    case .rows(let rows):
      let isThere = view.has(position, of: rows.count)
      return .link(elementAccess?.layout.table ?? TableID(-1), isThere ? rows[position] : .none)
    case .values(let values):
      return view.has(position, of: values.count) ? values[position] : .null
    }
  }

  // MARK: Evaluating

  private func evaluate() throws -> Found {
    let readView = view.readView
    if let readFailure = view.readFailure(of: elementAccess) { throw readFailure }
    return try evaluate(readView)
  }

  /// The elements found at a version.
  func evaluate(_ readView: ReadView) throws -> Found {
    let plans = try queryPlans()
    var rest = plans[...]
    var found: Found
    let source = plans.isEmpty ? nil : ReadViewQuerySource(readView, schema: view.querySchema)
    if case .table(let access) = base, let plan = rest.popFirst(), let source {
      _ = access
      found = .rows(try plan.rows(in: source).map { RowKey($0) })
    } else {
      found = try baseElements(readView)
    }
    for plan in rest {
      guard case .rows(let rows) = found, let source else { break }
      found = .rows(try plan.rows(in: source, among: rows.map(\.rawValue)).map { RowKey($0) })
    }
    guard case .values(var values) = found else { return found }
    for stage in stages {
      switch stage {
      case .query: break
      case .sortValues(let ascending):
        let keyed = try values.map { ($0, try readView.value($0)) }
        values = keyed.sorted {
          let order = $0.1.compareInSortOrder($1.1)
          return ascending ? order < 0 : order > 0
        }.map(\.0)
      case .filterValues(let filter):
        let found = try filter.positions(in: try values.map { try readView.value($0) })
        values = found.map { values[$0] }
      case .distinctValues:
        var seen: Set<StoredValue> = []
        values = values.filter { seen.insert($0).inserted }
      }
    }
    return .values(values)
  }

  private func baseElements(_ readView: ReadView) throws -> Found {
    switch base {
    case .table(let access):
      guard let layout = readView.catalog[access.layout.table] else { return .rows([]) }
      let rows = try readView.rows(layout)
      guard rows.count == readView.reader.rowCount(of: layout.table) else {
        throw Realm.Error.damage("Class '\(layout.name)' has not as many objects as it says.")
      }
      return .rows(rows)
    case .collection(let accessor, let access):
      let elements = try accessor.visibleElements(readView)
      guard access != nil else { return .values(elements) }
      return .rows(
        elements.compactMap {
          if case .link(_, let row) = $0 { return row }
          return nil
        })
    case .incoming(let access, let field, let target, let row):
      var rows: [RowKey] = []
      let link = StoredValue.link(target.layout.table, row)
      guard readView.catalog[access.layout.table] != nil else { return .rows([]) }
      for origin in try readView.origins(field, of: target.layout.table, row) {
        let occurrences =
          field.collection == .single
          ? 1 : try readView.elements(Cell(access.layout, origin, field)).count { $0 == link }
        rows.append(contentsOf: repeatElement(origin, count: max(occurrences, 1)))
      }
      return .rows(rows)
    }
  }

  // MARK: Queries

  var querySource: ReadViewQuerySource { ReadViewQuerySource(view.readView, schema: view.querySchema) }

  func queryPlans() throws -> [QueryPlan] {
    guard let access = elementAccess, !stages.isEmpty else { return [] }
    let declared = view.querySchema
    if let plans, plans.revision == view.querySchemaRevision { return plans.plans }
    let schema = QuerySchema(declared)
    var made: [QueryPlan] = []
    for case .query(let query) in stages {
      do {
        made.append(try QueryPlan(query, className: access.layout.name, schema: schema, dialect: .nspredicate))
      } catch {
        // An error of a query from text ends with a picture of the text.
        violated("Invalid query on '\(access.layout.name)': \(error)\(error.text.isEmpty ? "." : "")")
      }
    }
    plans = (view.querySchemaRevision, made)
    return made
  }

  /// The collection with a stage added.
  func adding(_ stage: Stage) -> ResultsSource {
    if case .query(let next) = stage, case .query(let last)? = stages.last {
      // A filter keeps the order of what it keeps, so it may come before a sort.
      let isSortedOnly = last.clauses.allSatisfy { if case .sort = $0 { true } else { false } }
      if isSortedOnly {
        let joined = ParsedQuery(last.predicate && next.predicate, clauses: last.clauses + next.clauses)
        return ResultsSource(view, base, stages: stages.dropLast() + [.query(joined)])
      }
      if next.predicate == .always(true) {
        let joined = ParsedQuery(last.predicate, clauses: last.clauses + next.clauses)
        return ResultsSource(view, base, stages: stages.dropLast() + [.query(joined)])
      }
    }
    return ResultsSource(view, base, stages: stages + [stage])
  }

  /// The same collection in another view; nil when its object does not live there.
  func moved(to view: RealmView) -> ResultsSource? {
    func access(_ access: ClassAccess) -> ClassAccess { access.moved(to: view) }
    switch base {
    case .table(let element): return ResultsSource(view, .table(access(element)), stages: stages)
    case .collection(let accessor, let element):
      guard let accessor = accessor.moved(to: view) else { return nil }
      return ResultsSource(view, .collection(accessor, element.map(access)), stages: stages)
    case .incoming(let element, let field, let target, let row):
      return ResultsSource(view, .incoming(access(element), field, target: access(target), row), stages: stages)
    }
  }
}
