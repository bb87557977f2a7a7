import StorageEngine

extension Frame {
  /// What dies with some objects: everything that they own, directly or not, and nobody else does.
  ///
  /// Objects that own each other in a circle die together. Embedded objects are not in the answer: they go with their
  /// parents anyway.
  ///
  /// - Complexity: O(m log n) for the m objects that are owned by the given ones, and the links to them.
  func owned(by roots: [ClassRow], _ rules: CascadeRules) throws -> [ClassRow] {
    var order = roots
    var doomed = Set(roots)
    var next = 0
    while next < order.count {
      for child in try children(order[next], rules) where doomed.insert(child).inserted { order.append(child) }
      next += 1
    }
    // Whatever has an owner that stays, stays, and so does what it owns.
    let given = Set(roots)
    var staying = try order.filter { try !given.contains($0) && hasOwner($0, outside: doomed, rules) }
    for object in staying { doomed.remove(object) }
    while let object = staying.popLast() {
      for child in try children(object, rules) where !given.contains(child) && doomed.remove(child) != nil {
        staying.append(child)
      }
    }
    return order.filter { doomed.contains($0) && !given.contains($0) && catalog[$0.table]?.kind != .embedded }
  }

  private func children(_ object: ClassRow, _ rules: CascadeRules) throws -> [ClassRow] {
    guard let layout = catalog[object.table] else { return [] }
    return try rules.owning(object.table).flatMap { field in
      try elements(field, object.row, layout).flatMap(\.links).filter { $0.row.rawValue >= 0 }.map {
        ClassRow(table: $0.table, row: $0.row)
      }
    }
  }

  private func hasOwner(_ object: ClassRow, outside doomed: Set<ClassRow>, _ rules: CascadeRules) throws -> Bool {
    for incoming in catalog.incoming(object.table) where rules.owns(incoming.field, of: incoming.layout.table) {
      for origin in try origins(incoming.field, of: object.table, object.row)
      where !doomed.contains(ClassRow(table: incoming.layout.table, row: origin)) {
        return true
      }
    }
    return false
  }
}
