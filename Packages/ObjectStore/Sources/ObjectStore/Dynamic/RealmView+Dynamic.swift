import StorageEngine
import RecordStore

extension RealmView {
  /// A class of the file by its stored names, whether the program declares it or not.
  func dynamicAccess(_ table: TableID) -> ClassAccess {
    if isFrozen { frozenLock.lock() }
    defer { if isFrozen { frozenLock.unlock() } }
    if let known = dynamicAccesses[table] { return known }
    // Only a link of a damaged file leads to a class that there is not.
    if catalog[table] == nil { faults.note(Realm.Error.damage("A link leads to a class that does not exist.")) }
    let layout = catalog[table] ?? ClassLayout(name: "", table: table, kind: .topLevel, key: nil, fields: [])
    let access = ClassAccess(self, ClassBinding.of(DynamicObject.self), layout, isDynamic: true)
    dynamicAccesses[table] = access
    return access
  }

  /// A class of the file by its name.
  func dynamicAccess(_ name: String) -> ClassAccess {
    guard let layout = catalog[name] else { violated("Object type '\(name)' is not managed by the Realm.") }
    return dynamicAccess(layout.table)
  }
}
