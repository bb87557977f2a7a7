import StorageEngine

extension RealmView {
  /// The rules of the classes that the realm was opened with.
  var currentCascadeRules: CascadeRules {
    let catalog = self.catalog
    if let cascadeRules, cascadeRules.revision == catalog.revision { return cascadeRules }
    let rules = CascadeRules(catalog, configuration.objectTypes ?? ModelClasses.all)
    cascadeRules = rules
    return rules
  }

  /// Deletes what goes with some rows, once those are deleted themselves by `delete`.
  ///
  /// Each is an ordinary erasure, so that other devices need not know the rule.
  func cascading(from rows: [ClassRow], _ writer: StoreWriter, _ delete: () throws -> Void) throws {
    let rules = currentCascadeRules
    guard !rules.isEmpty else { return try delete() }
    let owned = try writer.frame.owned(by: rows, rules)
    try delete()
    for object in owned {
      guard let layout = writer.catalog[object.table], try writer.frame.reader.contains(object.row, in: object.table)
      else { continue }
      try writer.erase(object.row, layout, incoming: .nullify)
    }
  }

  /// Deletes objects one by one. One that went with another of them is done.
  func deleteEach(_ objects: [ObjectBase]) {
    let cascades = !currentCascadeRules.isEmpty
    // An object that was invalid before is a mistake, which deleting it says.
    let valid = cascades ? objects.filter { !$0.isInvalidated } : []
    guard cascades, valid.count == objects.count else {
      for object in objects { delete(object) }
      return
    }
    for object in valid where !object.isInvalidated { delete(object) }
  }
}
