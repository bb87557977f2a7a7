import ChatCore
import RealmSwift

/// Rights of members as entries of access lists, as the documented chat app has them.
extension Permission {
  /// The name of the role that has one user alone.
  static func privateRole(of user: String) -> String { "__User:" + user }

  /// The id of the user whose private role the entry gives privileges to; nil for other roles.
  var user: String? {
    guard let name = role?.name, name.hasPrefix("__User:") else { return nil }
    return String(name.dropFirst("__User:".count))
  }

  /// The right that the privileges amount to; nil for none.
  var access: Access? {
    guard canRead else { return nil }
    return canSetPermissions ? .manage : canUpdate ? .write : .read
  }

  /// Gives the entry the privileges of a right: a reader reads and queries, a writer also creates and updates, an
  /// administrator has all.
  func set(_ access: Access?) {
    let all = access == .manage
    let writes = all || access == .write
    let reads = access != nil
    if canRead != reads { canRead = reads }
    if canQuery != reads { canQuery = reads }
    if canUpdate != writes { canUpdate = writes }
    if canCreate != writes { canCreate = writes }
    if canDelete != all { canDelete = all }
    if canSetPermissions != all { canSetPermissions = all }
    if canModifySchema { canModifySchema = false }
  }
}

extension List where Element == Permission {
  /// The members that the list names, by id. Entries of one member count together.
  var members: [Member] {
    var rights: [String: Access] = [:]
    for entry in self {
      if let user = entry.user, let access = entry.access { rights[user] = Swift.max(rights[user] ?? access, access) }
    }
    return rights.map { Member(id: $0.key, access: $0.value) }.sorted { $0.id < $1.id }
  }

  /// Whether all entries are here, as the same objects.
  func holds(_ entries: List<Permission>) -> Bool {
    entries.allSatisfy { entry in contains { $0.isSameObject(as: entry) } }
  }

  /// Appends the entries that are not here.
  func share(_ entries: List<Permission>) {
    for entry in entries where !contains(where: { $0.isSameObject(as: entry) }) { append(entry) }
  }
}
