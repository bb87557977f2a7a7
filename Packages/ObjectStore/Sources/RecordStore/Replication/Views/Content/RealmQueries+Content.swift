import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine

extension RealmQueries {
  /// The most objects that a view with links holds.
  static let closureLimit = 16_000_000

  /// The rows of the objects that the view holds in a state, ascending, by class; found by evaluating every query.
  ///
  /// Lists of objects come before LIMIT and DISTINCT: objects that the user may not read take no place. What a held object
  /// links to is held whatever its own list says, because a link cannot end in nothing on a device; a class that the user
  /// may not read stays hidden.
  ///
  /// - Parameter classes: those that are asked for; all that the view holds when nil.
  /// - Throws: ``LinkClosureError``, and the errors of the store.
  /// - Complexity: that of the queries, and with links O(*n*) in the objects held and their links.
  func rows(in state: some LinkedRows, of classes: Set<String>? = nil) throws -> [TableID: [RowKey]] {
    try rows(in: state, of: classes, from: try seeds(in: state, of: classes).rows)
  }

  private func rows(
    in state: some LinkedRows, of classes: Set<String>?, from seeds: [TableID: [RowKey]]
  ) throws -> [TableID: [RowKey]] {
    var found: [TableID: [RowKey]] = [:]
    if followsLinks {
      let closure = try LinkClosure(from: seeds, in: state, limit: Self.closureLimit) { layout in
        layout.kind == .embedded || permissions?.mayRead(layout.name) ?? true
      }
      for table in closure.rows.keys { found[table] = closure.rows(of: table) }
    } else {
      for (table, rows) in seeds { found[table] = rows.isAscending ? rows : Set(rows).sorted() }
    }
    return found.filter { table, _ in
      guard let layout = state.catalog[table], layout.kind == .topLevel else { return false }
      return classes?.contains(layout.name) ?? true
    }
  }

  /// The objects that the view holds in a state; see ``rows(in:of:)``.
  func content(in state: some LinkedRows, of classes: Set<String>? = nil) throws -> ViewContent {
    let seeds = try seeds(in: state, of: classes)
    var objects: [ObjectReference] = []
    for (table, rows) in try rows(in: state, of: classes, from: seeds.rows) {
      for row in rows {
        if let object = try state.object(in: ClassRow(table: table, row: row)) { objects.append(object) }
      }
    }
    var content = ViewContent(objects)
    content.windows = seeds.windows
    return content
  }

  private typealias Seeds = (rows: [TableID: [RowKey]], windows: [ViewContent.Window: OrderedWindow])

  /// The rows that the queries themselves select, and those that they include: for an embedded object, that of the object around it.
  private func seeds(in state: some LinkedRows, of classes: Set<String>?) throws -> Seeds {
    let lists = StatePermissions(state)
    var seeds: [TableID: [RowKey]] = [:]
    var windows: [ViewContent.Window: OrderedWindow] = [:]
    for selection in selections.values.sorted(by: { $0.layout.name < $1.layout.name }) {
      // Without links, a class that is not asked for has no part in it.
      guard followsLinks || selection.concerns(classes) else { continue }
      for (number, query) in selection.queries.enumerated() {
        if query.hasWindow {
          let window = try query.window(in: state) { try isReadable($0, selection.layout, lists) }
          windows[ViewContent.Window(className: selection.layout.name, number: number)] = window
          for key in window?.selected ?? [] {
            let object = ObjectReference(className: selection.layout.name, key: key)
            if let row = try state.row(of: object) { seeds[selection.layout.table, default: []].append(row.row) }
          }
          continue
        }
        let rows = try query.rows(in: state) { try isReadable($0, selection.layout, lists) }
        seeds[selection.layout.table, default: []] += rows.map { RowKey($0) }
        guard !query.plan.classesIncluded.isEmpty else { continue }
        for row in rows {
          for (className, included) in try query.plan.includedObjects(of: row, in: state) {
            guard let table = state.catalog[className]?.table,
              let object = try state.holder(of: ClassRow(table: table, row: RowKey(included))),
              let origin = state.catalog[object.table], permissions?.maySubscribe(to: origin.name) ?? true,
              try isReadable(object.row.rawValue, origin, lists)
            else { continue }
            seeds[object.table, default: []].append(object.row)
          }
        }
      }
    }
    return (seeds, windows)
  }

  /// Whether the list of an object in a row lets the user read it.
  func isReadable(_ row: QueryRow, _ layout: ClassLayout, _ lists: StatePermissions) throws -> Bool {
    guard let permissions, permissions.asksLists else { return true }
    let fields = permissions.accessLists(of: layout)
    if fields.isEmpty { return true }
    return permissions.reads(try lists.list(ofRow: row, layout, fields), inClass: layout.name)
  }
}

extension RealmQueries.Selection {
  fileprivate func concerns(_ classes: Set<String>?) -> Bool {
    guard let classes else { return true }
    return classes.contains(layout.name) || !included.isDisjoint(with: classes)
  }
}

extension [RowKey] {
  fileprivate var isAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
