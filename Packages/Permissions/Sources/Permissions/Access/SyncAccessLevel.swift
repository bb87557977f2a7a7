/// The level of access to a whole realm. Each level includes the lower ones.
///
/// | level | may |
/// |---|---|
/// | none | nothing |
/// | read | open the realm and follow its changes |
/// | write | change its data |
/// | admin | change who may do what; also called *manage* |
public enum SyncAccessLevel: UInt, Comparable, CaseIterable, Codable, Sendable, CustomStringConvertible {
  /// No access.
  case none = 0
  /// Opening the realm and following its changes.
  case read = 1
  /// Changing its data.
  case write = 2
  /// Changing its permissions.
  case admin = 3

  /// The other name of ``admin``.
  public static var manage: SyncAccessLevel { .admin }

  /// The level called `none`, `read`, `write`, `manage` or `admin`, in any case.
  ///
  ///     SyncAccessLevel(name: "Manage")  // .admin
  public init?(name: some StringProtocol) {
    switch name.lowercased() {
    case "none": self = .none
    case "read": self = .read
    case "write": self = .write
    case "manage", "admin": self = .admin
    default: return nil
    }
  }

  /// The name in lower case; `manage` for the highest level.
  public var name: String {
    switch self {
    case .none: "none"
    case .read: "read"
    case .write: "write"
    case .admin: "manage"
    }
  }

  /// The ``name``.
  public var description: String { name }
  /// Whether the left level allows less.
  public static func < (left: SyncAccessLevel, right: SyncAccessLevel) -> Bool { left.rawValue < right.rawValue }
}

/// The short name of ``SyncAccessLevel``.
public typealias AccessLevel = SyncAccessLevel
