import ChangesetOT
import DataModel
import Permissions
import QueryLanguage
import StorageEngine

/// The permissions of a realm in a state that can be queried, the present one or a past one.
///
/// Keeps the entries that it has read, for the objects of one evaluation. Used from one thread.
final class StatePermissions {
  private let source: any LinkedRows
  private var entries: [ObjectKey: PermissionEntry?] = [:]
  /// The properties of a class that hold access lists, by position.
  private var listProperties: [String: [Int]] = [:]

  init(_ source: any LinkedRows) { self.source = source }

  // MARK: Facts

  /// The permissions of a user; nil when the realm has no list of its own.
  ///
  /// - Complexity: O(*n*) for *n* roles of the user and entries of the lists of the realm and its classes.
  func permissions(of access: ViewAccess) throws -> ViewPermissions? {
    let realm = ObjectReference(
      className: PermissionClass.realm.rawValue, key: .int(Int64(PermissionClass.realmObjectId)))
    guard let list = try list(of: realm, "permissions") else { return nil }
    var table = PermissionTable()
    table.apply(.setRealmList(list))
    let user = UserId(access.user)
    table.apply(.addUser(user))
    for role in try roles(of: user) { table.apply(.addMember(user, to: role)) }
    if let classes = try source.table(PermissionClass.class.rawValue) {
      try forEachRow(of: classes) { row in
        guard case .string(let name)? = try classes.objectKey(of: row) else { return }
        let object = ObjectReference(className: PermissionClass.class.rawValue, key: .string(name))
        table.apply(.setClassList(name, try self.list(of: object, "permissions") ?? .empty))
      }
    }
    return ViewPermissions(user: UserPermissions(table, access), table: table)
  }

  private func roles(of user: UserId) throws -> [RoleName] {
    guard let users = try source.table(PermissionClass.user.rawValue),
      let row = try users.row(forKey: .string(user.rawValue)),
      let roles = try source.table(PermissionClass.role.rawValue),
      let members = roles.schema.properties.firstIndex(where: { $0.name == PermissionClass.membersProperty })
    else { return [] }
    var holders: [QueryRow] = []
    try users.appendBacklinks(of: row, from: PermissionClass.role.rawValue, property: members, to: &holders)
    return try Set(holders).compactMap { holder in
      guard case .string(let name)? = try roles.objectKey(of: holder) else { return nil }
      return RoleName(name)
    }
  }

  private func forEachRow(of table: any QueryTable, _ body: (QueryRow) throws -> Void) throws {
    for position in 0..<table.clusterCount {
      let cluster = try table.cluster(at: position)
      for slot in 0..<cluster.slotCount {
        let row = cluster.firstRow + QueryRow(slot)
        if try table.location(of: row) != nil { try body(row) }
      }
    }
  }

  // MARK: Lists

  /// The access list of an object in a row; missing when its class has none.
  ///
  /// - Parameter fields: the access lists that decide, the same for all objects of the class.
  func list(ofRow row: QueryRow, _ layout: ClassLayout, _ fields: [FieldLayout]) throws -> AccessList {
    let properties = try properties(of: layout, fields)
    if properties.isEmpty { return .missing }
    return .entries(try properties.flatMap { try entries(of: row, layout.name, $0) })
  }

  private func properties(of layout: ClassLayout, _ fields: [FieldLayout]) throws -> [Int] {
    if let known = listProperties[layout.name] { return known }
    let names = Set(fields.map(\.name))
    let schema = try source.table(layout.name)?.schema
    let found = schema?.properties.indices.filter { names.contains(schema?.properties[$0].columnName ?? "") } ?? []
    listProperties[layout.name] = found
    return found
  }

  /// The list in a property of an object; nil when it does not exist, empty when the property is no list.
  private func list(of object: ObjectReference, _ property: String) throws -> AccessList? {
    guard let table = try source.table(object.className), let row = try table.row(forKey: object.key) else {
      return nil
    }
    guard let position = table.schema.properties.firstIndex(where: { $0.columnName == property }),
      let field = source.catalog[object.className]?.field(property), field.holdsPermissions
    else { return .empty }
    return .entries(try entries(of: row, object.className, position))
  }

  private func entries(of row: QueryRow, _ className: String, _ property: Int) throws -> [PermissionEntry] {
    guard case .list(let elements) = try value(of: row, className, property) else { return [] }
    return try elements.compactMap { element in
      guard case .link(let permission) = element else { return nil }
      return try entry(permission.key)
    }
  }

  /// The entry that a permission object is; nil for one without a role.
  func entry(_ key: ObjectKey) throws -> PermissionEntry? {
    if let known = entries[key] { return known }
    let found = try readEntry(key)
    entries.updateValue(found, forKey: key)
    return found
  }

  private func readEntry(_ key: ObjectKey) throws -> PermissionEntry? {
    let name = PermissionClass.permission.rawValue
    guard let table = try source.table(name), let row = try table.row(forKey: key) else { return nil }
    var (role, privileges): (RoleName?, Privileges) = (nil, [])
    for (position, property) in table.schema.properties.enumerated() {
      switch try value(of: row, name, position) {
      case .link(let target) where property.columnName == PermissionClass.roleProperty:
        if case .string(let name) = target.key { role = RoleName(name) }
      case .bool(true):
        for flag in Privileges.named where flag.storedProperty == property.columnName {
          privileges.insert(flag.privilege)
        }
      default: break
      }
    }
    return role.map { PermissionEntry($0, privileges) }
  }

  private func value(of row: QueryRow, _ className: String, _ property: Int) throws -> Value {
    guard let table = try source.table(className), let place = try table.location(of: row) else { return .null }
    return try table.cluster(at: place.cluster).value(of: property, slot: place.slot)
  }
}
