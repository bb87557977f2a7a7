/// An access list with roles as numbers of one table: a word for each entry.
///
/// Checking a user against it takes a few instructions for each entry and no memory.
public struct CompiledAccessList: Hashable, Sendable {
  /// True when there is no list, which is the opposite of an empty one.
  public let isMissing: Bool
  /// The role's number in the upper 56 bits, its privileges in the lower 8.
  private let words: [UInt64]

  /// No list.
  public static let missing = CompiledAccessList()

  private init() {
    isMissing = true
    words = []
  }

  init(_ entries: [(role: Int, privileges: Privileges)]) {
    isMissing = false
    words = entries.map { UInt64($0.role) << 8 | UInt64($0.privileges.rawValue) }
  }

  /// The sum of the privileges of several roles; all of a missing list.
  ///
  /// - Complexity: O(*n*) for *n* entries, with a search among the roles for each that is not one of the first 64.
  public func privileges(of roles: RoleSet) -> Privileges {
    if isMissing { return .all }
    var sum: UInt64 = 0
    for word in words where roles.contains(Int(word >> 8)) { sum |= word }
    return Privileges(rawValue: UInt8(truncatingIfNeeded: sum))
  }

  /// The sum of the privileges of several roles; nil of a missing list.
  func grant(to roles: RoleSet) -> Privileges? { isMissing ? nil : privileges(of: roles) }
}
