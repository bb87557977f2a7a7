public import DataModel
public import Permissions
import StorageEngine

extension PermissionReader {
  /// The lists that a permission object is an entry of. Lists that keep the name of one that was erased are among them: it
  /// is an entry again once it is made again.
  ///
  /// - Parameter isNew: whether the transaction at hand created an object; asked for each object with a list of its own.
  /// - Complexity: O(*n*) for *n* entries of these lists.
  public func uses(
    of permission: ObjectKey, isNew: (ObjectReference) -> Bool = { _ in false }
  ) throws -> [PermissionUse] {
    try translatingErrors {
      guard let layout = layouts.permissions else { return [] }
      let key = try readView.known(permission)
      guard let row = try readView.row(key, layout) ?? readView.nameRow(key, layout.table) else { return [] }
      var uses: [PermissionUse] = []
      for incoming in readView.catalog.incoming(layout.table) where incoming.field.holdsPermissions {
        let origin = incoming.layout
        let fields = origin.accessLists
        for holder in try readView.origins(incoming.field, of: layout.table, row) {
          let key = try readView.key(holder, origin)
          switch (PermissionClass(rawValue: origin.name), key) {
          case (.realm, .int(0)): uses.append(.realm)
          case (.class, .string(let name)): uses.append(.class(name))
          case _ where !fields.isEmpty:
            let object = ObjectReference(className: origin.name, key: key)
            uses.append(
              .object(
                ObjectFacts(origin.name, list: try list(ofRow: holder, origin, fields), isNew: isNew(object))))
          default: break
          }
        }
      }
      return uses
    }
  }
}
