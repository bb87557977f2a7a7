import StorageEngine
import RecordStore

extension RealmView {
  /// The layout of a table's class for dynamic objects. A table that does not exist, as only damage explains, has no
  /// fields.
  func dynamicAccess(_ table: TableID) -> ClassAccess {
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    if let known = dynamicAccesses[table] { return known }
    // Only a link of a damaged file leads to a class that does not exist.
    if catalog[table] == nil { faults.note(Realm.Error.damage("A link leads to a class that does not exist.")) }
    let layout = catalog[table] ?? ClassLayout(name: "", table: table, kind: .topLevel, key: nil, fields: [])
    let access = ClassAccess(self, ClassBinding.of(DynamicObject.self), layout, isDynamic: true)
    dynamicAccesses[table] = access
    return access
  }

  /// The layout of a class by its name, for dynamic objects.
  func dynamicAccess(_ name: String) -> ClassAccess {
    guard let layout = catalog[name] else { violated("Object type '\(name)' is not managed by the Realm.") }
    return dynamicAccess(layout.table)
  }
}
