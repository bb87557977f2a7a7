/// The reason for which a text is not the path of a realm.
public enum RealmPathError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The text is empty, or a single slash.
  case empty
  /// The text has more than ``RealmPath/maximumBytes`` bytes.
  case tooLong(bytes: Int)
  /// One segment breaks a rule. Segments count from 0.
  case badSegment(String, at: Int, RealmPath.SegmentFlaw)
  /// `~` is not the first segment, or no other follows.
  case misplacedTilde
  /// `~` needs a user, and there is none, as with an administrator's token.
  case tildeWithoutUser
  /// `__partial` needs a realm in front and a user and a name behind.
  case badPartialView
  /// A serialized partition that is neither a string, an integer, an object id, a UUID nor null.
  case badPartition(String)

  /// A sentence with a remedy.
  public var description: String {
    switch self {
    case .empty: "the path is empty; write it as /name or /~/name"
    case .tooLong(let bytes): "the path has \(bytes) bytes; at most \(RealmPath.maximumBytes) are allowed"
    case .badSegment(let segment, let index, let flaw): "segment \(index + 1) of the path, '\(segment)', \(flaw)"
    case .misplacedTilde: "'~' stands for the user's own folder: it comes first and a name follows, as in /~/notes"
    case .tildeWithoutUser: "'~' cannot be resolved without a user; write the user's id instead"
    case .badPartialView: "a partial view is written <realm>/__partial/<user>/<name>"
    case .badPartition(let text): "serialized partition '\(text)' is invalid"
    }
  }
}
