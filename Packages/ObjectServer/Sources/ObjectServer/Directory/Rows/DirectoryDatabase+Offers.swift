import Permissions
import Telemetry

// Offers, whose tokens are encrypted.
extension DirectoryDatabase {
  /// The offers with these values.
  func offers(_ matching: KeyValuePairs<String, DirectoryValue>) throws -> [OfferRecord] {
    let tokens = tokens
    return try rows(.offers, matching) { row in
      guard let digest = row.text(0), case .blob(let hidden) = row.cells[6],
        let token = tokens.shown(hidden, digest: digest), let user = row.text(1),
        let path = row.text(2).flatMap({ try? RealmPath($0) }),
        let level = AccessLevel(rawValue: UInt(clamping: row.integer(3) ?? 0))
      else { return nil }
      return OfferRecord(
        token: token, user: UserId(user), path: path, level: level,
        createdAt: WallTime(millisecondsSince1970: row.integer(4) ?? 0),
        expiresAt: row.integer(5).map { WallTime(millisecondsSince1970: $0) })
    }
  }
}
