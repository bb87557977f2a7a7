/// The name of a role: the primary key of the stored class `__Role`.
///
///     RoleName.everyone                     // everyone
///     RoleName.privateRole(of: "65a1…")     // __User:65a1…
public struct RoleName: RawRepresentable, Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text as it is stored.
  public var rawValue: String

  /// A role's name from its text; any text can be held.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A role's name from its text; any text can be held.
  public init(_ text: String) { rawValue = text }

  /// The role that the server puts every user into who connects for the first time.
  public static let everyone = RoleName("everyone")

  /// The role that has one user as its only member, for sharing with that user alone.
  public static func privateRole(of user: UserId) -> RoleName { RoleName(privatePrefix + user.rawValue) }

  /// Whether it is the private role of a user.
  var isPrivate: Bool { rawValue.hasPrefix(Self.privatePrefix) }

  /// The user of a private role; nil for all other roles.
  public var privateUser: UserId? {
    guard isPrivate else { return nil }
    return UserId(String(rawValue.dropFirst(Self.privatePrefix.count)))
  }

  /// Compares the texts.
  public static func < (left: RoleName, right: RoleName) -> Bool { left.rawValue < right.rawValue }
  /// The text.
  public var description: String { rawValue }

  static let privatePrefix = "__User:"
}

extension RoleName: ExpressibleByStringLiteral {
  /// A role's name from its text.
  public init(stringLiteral value: String) { rawValue = value }
}
