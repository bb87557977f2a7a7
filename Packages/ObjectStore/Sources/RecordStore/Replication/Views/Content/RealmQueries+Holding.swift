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
        if try isSelected(next, layout, state, lists, among: content) { return .inside }
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
  /// - Parameter content: as in ``place(of:in:_:among:_:)``.
  func isSelected(
    _ row: ClassRow, _ layout: ClassLayout, _ state: ReadViewQuerySource, _ lists: StatePermissions,
    among content: ViewContent? = nil
  ) throws -> Bool {
    if let selection = selections[layout.name], try isReadable(row.row.rawValue, layout, lists) {
      for (number, query) in selection.queries.enumerated() {
        let window = content?.windows[ViewContent.Window(className: layout.name, number: number)]
        let selects =
          try window.map { try $0.selects(state.readView.queryKey(row.row, layout)) }
          ?? query.plan.matches(row.row.rawValue, in: state)
        if selects { return true }
      }
    }
    for selection in selections.values {
      for query in selection.queries where query.plan.classesIncluded.contains(layout.name) {
        guard permissions?.maySubscribe(to: layout.name) ?? true else { return false }
        guard try isReadable(row.row.rawValue, layout, lists) else { return false }
        // Other properties, and other queries of the class, select the target alone.
        for field in query.plan.propertiesIncluding(layout.name).compactMap(layout.field) {
          for target in try state.links(by: Cell(layout, row.row, field))
          where target.table == selection.layout.table {
            let target = target.row.rawValue
            if try isReadable(target, selection.layout, lists), try query.plan.matches(target, in: state) {
              return true
            }
          }
        }
      }
    }
    return false
  }
}
