extension Privileges: CustomStringConvertible {
  /// The single privileges in the order of their bits, each with its name and with the boolean property of the stored
  /// class `__Permission` that grants it.
  public static let named: [(privilege: Privileges, name: String, storedProperty: String)] = [
    (.read, "read", "canRead"),
    (.update, "update", "canUpdate"),
    (.delete, "delete", "canDelete"),
    (.setPermissions, "setPermissions", "canSetPermissions"),
    (.query, "query", "canQuery"),
    (.create, "create", "canCreate"),
    (.modifySchema, "modifySchema", "canModifySchema"),
  ]

  /// The names, separated by commas; `nothing` for the empty set.
  public var description: String {
    let names = Self.named.filter { contains($0.privilege) }.map(\.name)
    return names.isEmpty ? "nothing" : names.joined(separator: ", ")
  }

  /// The privilege that a boolean property of the stored class `__Permission` grants.
  ///
  ///     Privileges(storedProperty: "canQuery")  // .query
  public init?(storedProperty: String) {
    guard let entry = Self.named.first(where: { $0.storedProperty == storedProperty }) else { return nil }
    self = entry.privilege
  }
}
