/// The name of a realm on a server: a virtual path such as `/65a1…/todo`, or the partition value of an app.
///
///     let ann = UserId("1234")
///     try RealmPath("/~/notes", for: ann)            // /1234/notes, owned by 1234
///     try RealmPath("1234/notes")                    // the same realm
///     try RealmPath(#""team a""#)                    // the partition with the string "team a"
///
/// Two paths are equal exactly when they name the same realm, and ``description`` parses back to an equal path.
/// Virtual paths have segments of ASCII letters, digits, `_`, `-` and `.`; a segment is not empty, does not begin with a
/// dot, and does not end in `.realm`, `.realm.lock` or `.realm.management`.
public struct RealmPath: Hashable, Sendable, CustomStringConvertible {
  /// The two families of paths.
  public enum Kind: Hashable, Sendable {
    /// A virtual path, its segments in order; never empty.
    case named([String])
    /// The partition value of a stock app.
    case partition(PartitionValue)
  }

  /// The longest path, in bytes of UTF-8: the limit of the path field of BIND.
  public static let maximumBytes = 1024
  /// The longest segment, in bytes: with its suffixes it still fits a file name of 255 bytes.
  public static let maximumSegmentBytes = 200
  /// Suffixes that no segment may have: those of a realm's files on a device.
  public static let reservedSuffixes = [".realm", ".realm.lock", ".realm.management"]

  /// `/default`: the realm of every app that no other one is chosen for.
  public static let ofApps = RealmPath(segments: ["default"])

  /// Virtual path or partition, with its parts.
  public let kind: Kind

  /// A partition realm.
  public init(partition: PartitionValue) { kind = .partition(partition) }

  init(segments: [String]) { kind = .named(segments) }

  /// The user whose folder the path is in: the first of at least two segments. Nil for public and partition realms.
  public var owner: UserId? {
    guard case .named(let segments) = kind, segments.count > 1, let name = segments.first, !name.hasPrefix("__")
    else { return nil }
    return UserId(name)
  }

  /// Whether a user owns the realm: it is in their folder, or it is the partition whose value is their id, as text or as an
  /// object id. No grant is needed then, and none can take it away.
  ///
  ///     try RealmPath(#""65a1b2c3d4e5f60718293a4b""#).isOwned(by: "65a1b2c3d4e5f60718293a4b")    // true
  public func isOwned(by user: UserId) -> Bool {
    switch kind {
    case .named: owner == user
    case .partition(.string(let text)): !text.isEmpty && text == user.rawValue
    case .partition(.objectId(let digits)): digits == user.rawValue
    case .partition: false
    }
  }

  /// Whether the path stands at the root, as in `/announcements`. Names that begin with `__` belong to the server.
  public var isPublic: Bool {
    guard case .named(let segments) = kind, segments.count == 1, let name = segments.first else { return false }
    return !name.hasPrefix("__")
  }

  /// The realm and the user of a partial view, `<realm>/__partial/<user>/<name>`; nil for every other path.
  public var partialView: (realm: RealmPath, user: UserId)? {
    guard case .named(let segments) = kind, let marker = segments.firstIndex(of: Self.partialMarker) else { return nil }
    return (RealmPath(segments: Array(segments[..<marker])), UserId(segments[marker + 1]))
  }

  /// The one text of this path: with a leading slash, or the partition as extended JSON.
  public var description: String {
    switch kind {
    case .named(let segments): segments.map { "/" + $0 }.joined()
    case .partition(let value): value.description
    }
  }

  static let partialMarker = "__partial"
}
