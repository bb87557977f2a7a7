import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine

extension RealmQueries {
  /// Objects that are looked at to find the one through which another is held.
  private static let mostHolders = 10_000

  /// The place of one object whose membership may depend on others, as uploads are judged by it: inside when a condition
  /// selects it, or when something that links to it is inside. DISTINCT plays no part; nil when it cannot be reached from
  /// fewer objects than are looked at.
  ///
  /// - Parameters:
  ///   - content: where given, LIMIT does play its part for the windows that are in it.
  ///   - budget: of the objects that are looked at for several.
  /// - Complexity: O(*n*) in the objects from which it can be reached.
  func place(
    of object: ObjectReference, in state: ReadViewQuerySource, _ lists: StatePermissions,
    among content: ViewContent? = nil, _ budget: HolderBudget? = nil
  ) throws -> ObjectTimeline.Place? {
    guard let first = try state.row(of: object) else { return .absent }
    let most = min(Self.mostHolders, budget?.left ?? .max)
    if most == 0 { return nil }
    var seen: Set<ClassRow> = [first]
    defer { budget?.take(min(seen.count, Self.mostHolders)) }
    var pending = [first]
    while let next = pending.popLast() {
      guard let layout = state.catalog[next.table] else { continue }
      if layout.kind == .topLevel {
        guard permissions?.mayRead(layout.name) ?? true else { continue }
        guard let isSelected = try isSelected(next, layout, state, lists, among: content, budget) else { return nil }
        if isSelected { return .inside }
      }
      guard followsLinks || layout.kind == .embedded else { continue }
      for incoming in state.catalog.incoming(next.table) {
        for origin in try state.readView.origins(incoming.field, of: next.table, next.row) {
          let holder = ClassRow(table: incoming.layout.table, row: origin)
          if seen.insert(holder).inserted { pending.append(holder) }
        }
      }
      if seen.count > most { return nil }
    }
    return .outside
  }

  /// Whether a condition selects the object in a row, or includes it for what it links to.
  ///
  /// - Parameters:
  ///   - content: as in ``place(of:in:_:among:_:)``.
  ///   - budget: of the objects that are looked at for several.
  /// - Returns: nil when it is not found among as many objects as are looked at.
  func isSelected(
    _ row: ClassRow, _ layout: ClassLayout, _ state: ReadViewQuerySource, _ lists: StatePermissions,
    among content: ViewContent? = nil, _ budget: HolderBudget? = nil
  ) throws -> Bool? {
    if let selection = selections[layout.name], try isReadable(row.row.rawValue, layout, lists) {
      for (number, query) in selection.queries.enumerated() {
        let window = content?.windows[ViewContent.Window(className: layout.name, number: number)]
        let selects =
          try window.map { try $0.selects(state.readView.queryKey(row.row, layout)) }
          ?? query.plan.matches(row.row.rawValue, in: state)
        if selects { return true }
      }
    }
    for selection in selections.values where selection.included.contains(layout.name) {
      guard permissions?.maySubscribe(to: layout.name) ?? true else { return false }
      guard try isReadable(row.row.rawValue, layout, lists) else { return false }
      for query in selection.queries {
        guard let targets = try query.objects(including: row, state, budget) else { return nil }
        budget?.take(targets.count)
        for target in targets where try isReadable(target, selection.layout, lists) {
          if try query.plan.matches(target, in: state) { return true }
        }
      }
    }
    return false
  }
}

extension KeyOrderedQuery {
  /// Objects that are looked at to find those that include another one.
  private static let mostIncluding = 10_000

  /// The objects of the class from which a path of INCLUDE leads to the object in a row, or to a part of it, whether the query
  /// selects them or not; nil when there are too many.
  ///
  /// - Parameter budget: of the objects that are looked at for several.
  /// - Complexity: O(*n*) in the objects on the paths, and with paths over embedded objects in the content of the object.
  func objects(
    including row: ClassRow, _ state: ReadViewQuerySource, _ budget: HolderBudget? = nil
  ) throws -> [QueryRow]? {
    let origins = plan.classesIncluded
    let most = min(Self.mostIncluding, budget?.left ?? .max)
    var left = most
    defer { budget?.take(most - left) }
    let hasParts = origins.contains { state.catalog[$0]?.kind == .embedded }
    var found: Set<QueryRow> = []
    for part in try hasParts ? state.parts(of: row) : [row] {
      guard let name = state.catalog[part.table]?.name, origins.contains(name) else { continue }
      let rows = try plan.objectsIncluding(part.row.rawValue, of: name, in: state, left: &left)
      guard let rows else { return nil }
      found.formUnion(rows)
    }
    return found.sorted()
  }
}
