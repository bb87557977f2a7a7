import StorageEngine
import RecordStore

extension RealmView {
  /// The rules of the classes that the realm was opened with, in the current catalog.
  var currentCascadeRules: CascadeRules {
    let catalog = self.catalog
    if let cascadeRules, cascadeRules.revision == catalog.revision { return cascadeRules }
    let rules = CascadeRules(catalog, configuration.objectTypes ?? ModelClasses.all)
    cascadeRules = rules
    return rules
  }

  /// Deletes rows by `delete`, and then the objects that they own. Each deletion is an ordinary erase instruction:
  /// other devices need not know the rules.
  func cascading(from rows: [ClassRow], _ writer: StoreWriter, _ delete: () throws -> Void) throws {
    let rules = currentCascadeRules
    guard !rules.isEmpty else { return try delete() }
    let owned = try writer.readView.owned(by: rows, rules)
    try delete()
    for object in owned {
      guard let layout = writer.catalog[object.table], try writer.readView.reader.contains(object.row, in: object.table)
      else { continue }
      try writer.erase(object.row, layout, incoming: .nullify)
    }
  }

  /// Deletes several objects. One that was deleted with another of them is skipped.
  func deleteEach(_ objects: [ObjectBase]) {
    let cascades = !currentCascadeRules.isEmpty
    // An object that is invalid already stops the program in `delete`.
    let valid = cascades ? objects.filter { !$0.isInvalidated } : []
    guard cascades, valid.count == objects.count else {
      for object in objects { delete(object) }
      return
    }
    for object in valid where !object.isInvalidated { delete(object) }
  }
}
