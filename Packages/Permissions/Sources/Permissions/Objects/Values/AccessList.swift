/// The access list of a realm, a class or an object.
///
/// No list and an empty list are opposites:
///
/// | list | realm | class | object |
/// |---|---|---|---|
/// | missing | no realm with permissions: everybody may do everything | the class has no say: what the realm allows | the class has no property of permissions: what the class allows |
/// | empty | nobody but administrators | nobody but administrators | nobody but administrators, its creator included |
///
/// A missing list of a class allows what the realm allows because anyone who can connect may change anything until
/// somebody restricts it, and classes made by users get no entries by themselves. Lists are white lists from then on: a
/// role that no entry names has nothing.
///
///     let list: AccessList = [PermissionEntry("editors", [.read, .update])]
///     list.roles(with: .update)  // [editors]
public enum AccessList: Hashable, Sendable {
  /// There is no list at all.
  case missing
  /// The entries of a list that is there; their order has no meaning, and a role may have several.
  case entries([PermissionEntry])

  /// A list that is there and denies everybody.
  public static let empty = AccessList.entries([])
  /// The list of the permissive defaults: the role `everyone` with all privileges.
  public static let open = AccessList.entries([PermissionEntry(.everyone, .all)])

  /// The entries; none of a missing list.
  public var entries: [PermissionEntry] {
    switch self {
    case .missing: []
    case .entries(let entries): entries
    }
  }

  /// The roles that have all of `privileges` by this list, in order; none when the list is missing.
  ///
  /// - Complexity: O(*n*) for *n* entries.
  public func roles(with privileges: Privileges) -> [RoleName] {
    var sums: [RoleName: Privileges] = [:]
    for entry in entries { sums[entry.role, default: []].formUnion(entry.privileges) }
    return sums.filter { $0.value.isSuperset(of: privileges) }.map(\.key).sorted()
  }

  /// The privileges that some role gains when this list takes the place of `old`.
  ///
  /// A missing list grants everything to everybody: nothing is gained by the list that replaces it, and everything by
  /// its return.
  ///
  /// - Complexity: O(*n*) for *n* entries of both lists.
  public func gain(over old: AccessList) -> Privileges {
    guard case .entries(let before) = old else { return [] }
    guard case .entries(let after) = self else { return .all }
    var sums: [RoleName: Privileges] = [:]
    for entry in before { sums[entry.role, default: []].formUnion(entry.privileges) }
    return after.reduce(into: []) { gain, entry in
      gain.formUnion(entry.privileges.subtracting(sums[entry.role] ?? []))
    }
  }
}

extension AccessList: ExpressibleByArrayLiteral {
  /// A list that is there, with these entries.
  public init(arrayLiteral elements: PermissionEntry...) { self = .entries(elements) }
}
