import StorageEngine
import RecordStore

extension ReadView {
  /// The objects to be deleted with some others: those that these own, directly or not, and that no remaining object
  /// owns.
  ///
  /// Objects that own each other in a cycle are deleted together. Embedded objects are left out, since they are deleted
  /// with their parents.
  ///
  /// - Complexity: O(*m* log *n*) for the *m* objects that the given ones own, and the links to them.
  func owned(by roots: [ClassRow], _ rules: CascadeRules) throws -> [ClassRow] {
    var order = roots
    var candidates = Set(roots)
    var next = 0
    while next < order.count {
      for child in try children(order[next], rules) where candidates.insert(child).inserted { order.append(child) }
      next += 1
    }
    // An object with a remaining owner remains, and so do the objects that it owns.
    let given = Set(roots)
    var staying = try order.filter { try !given.contains($0) && hasOwner($0, outside: candidates, rules) }
    for object in staying { candidates.remove(object) }
    while let object = staying.popLast() {
      for child in try children(object, rules) where !given.contains(child) && candidates.remove(child) != nil {
        staying.append(child)
      }
    }
    return order.filter { candidates.contains($0) && !given.contains($0) && catalog[$0.table]?.kind != .embedded }
  }

  private func children(_ object: ClassRow, _ rules: CascadeRules) throws -> [ClassRow] {
    guard let layout = catalog[object.table] else { return [] }
    return try rules.owning(object.table).flatMap { field in
      try elements(Cell(layout, object.row, field)).flatMap(\.links).filter { $0.row.rawValue >= 0 }.map {
        ClassRow(table: $0.table, row: $0.row)
      }
    }
  }

  private func hasOwner(_ object: ClassRow, outside candidates: Set<ClassRow>, _ rules: CascadeRules) throws -> Bool {
    for incoming in catalog.incoming(object.table) where rules.owns(incoming.field, of: incoming.layout.table) {
      for origin in try origins(incoming.field, of: object.table, object.row)
      where !candidates.contains(ClassRow(table: incoming.layout.table, row: origin)) {
        return true
      }
    }
    return false
  }
}
