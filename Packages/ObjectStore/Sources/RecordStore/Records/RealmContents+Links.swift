public import DataModel
import StorageEngine

extension RealmContents {
  /// The objects with links to an object, and the properties in which these are, those of embedded objects and inside of values included.
  /// The object need not exist: links to it are kept, and come back with it.
  ///
  ///     try contents.referrers(of: rex)          // [ann: ["dogs", "favourite"]]
  ///
  /// - Throws: ``RecordStoreError`` when the file cannot be read.
  /// - Complexity: O(*m* + log *n*) for *m* links.
  public func referrers(of object: ObjectReference) throws -> [ObjectReference: Set<String>] {
    try translatingErrors {
      let key = try readView.known(object.key)
      guard let layout = readView.catalog[object.className],
        let row = try readView.row(key, layout) ?? readView.nameRow(key, layout.table)
      else { return [:] }
      var found: [ObjectReference: Set<String>] = [:]
      try addReferrers(of: row, in: layout.table, to: &found)
      return found
    }
  }

  private func addReferrers(
    of row: RowKey, in table: TableID, to found: inout [ObjectReference: Set<String>]
  ) throws {
    for incoming in readView.catalog.incoming(table) {
      for origin in try readView.origins(incoming.field, of: table, row) {
        guard incoming.layout.kind != .embedded else {
          try addReferrers(of: origin, in: incoming.layout.table, to: &found)
          continue
        }
        let object = ObjectReference(
          className: incoming.layout.name, key: try readView.queryKey(origin, incoming.layout))
        found[object, default: []].insert(incoming.field.name)
      }
    }
  }
}
