public import ChangesetOT

/// The text of a position in a realm's history, which other programs keep and give back.
///
///     AdapterPosition.text(position)               // "12-77"
///     AdapterPosition.position("12-77")            // version 12, salt 77
public enum AdapterPosition {
  /// The text of a position: the version and its salt.
  public static func text(_ position: SaltedServerVersion) -> String {
    "\(position.version.rawValue)-\(UInt64(bitPattern: position.salt))"
  }

  /// The position that a text denotes; nil when it denotes none.
  public static func position(_ text: String) -> SaltedServerVersion? {
    let halves = text.split(separator: "-", omittingEmptySubsequences: false)
    guard halves.count == 2, let version = UInt64(halves[0]), let salt = UInt64(halves[1]) else { return nil }
    return SaltedServerVersion(version: ServerVersion(version), salt: Int64(bitPattern: salt))
  }
}
