import DataModel
import StorageEngine

// Links to objects that come and go while changesets are applied; see ``DeferredLinks``.

extension StoreWriter {
  /// Whether links wait that do not say what they lead to.
  var hasUnsettledLinks: Bool { !deferred.isEmpty }

  /// Makes every link say what it leads to: the name of an object that was erased, or the object that a name stood for.
  ///
  /// - Parameter isCharged: whether it is done before the end of a transaction, where the same links can be made to wait again.
  /// - Throws: ``Refusal`` when it is charged and the budget is used up.
  /// - Complexity: O(e log n) for e elements of the cells with such links. Each cell is read and written once.
  func settleLinks(isCharged: Bool = false) throws {
    guard !deferred.isEmpty else { return }
    let links = deferred
    deferred = DeferredLinks()
    var redirection = LinkRedirection(isCharged: isCharged)
    for (name, row) in links.resolved {
      try add(StoredValue.link(name.table, row), for: name, to: &redirection)
    }
    // Names get numbers in the order of rows, so that equal transactions make equal files.
    let erased = links.erased.sorted { ($0.key.table.rawValue, $0.value) < ($1.key.table.rawValue, $1.value) }
    for (name, row) in erased {
      guard let layout = catalog[name.table] else { continue }
      let target = ClassRow(table: name.table, row: row)
      guard try isLinkedTo(row, layout) else { continue }
      try add(StoredValue.link(name.table, try linkRow(name.key, layout)), for: target, to: &redirection)
    }
    try redirect(redirection)
  }

  /// Lets a set hold an object under its row where it still holds it under its name.
  func settleMember(_ member: StoredValue, named key: ObjectKey, _ cell: Cell) throws {
    guard !deferred.isEmpty, case .link(let table, let target) = member, let name = try nameRow(key, table),
      name != target
    else { return }
    let old = StoredValue.link(table, name)
    guard try readView.map(cell).value(for: SetKey.bytes(of: old)) != nil else { return }
    try replaceMember(old, by: member, cell)
  }

  /// Takes away the links to the erased objects of a class that is about to go.
  func forgetErased(_ layout: ClassLayout) throws {
    guard !deferred.isEmpty else { return }
    var redirection = LinkRedirection()
    for row in deferred.forget(layout.table) {
      try add(.null, for: ClassRow(table: layout.table, row: row), to: &redirection)
    }
    try redirect(redirection)
  }
}
