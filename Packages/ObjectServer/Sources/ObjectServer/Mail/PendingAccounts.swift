import ByteCoding
import Cryptography
import Foundation
import Telemetry

/// Accounts that exist once their addresses are confirmed, each in a file: name and password hash. They are no users: nobody can log
/// in with them, and their names are not taken.
struct PendingAccounts: Sendable {
  /// The most accounts that wait; further ones are refused.
  static let maximumAccounts = 10_000

  struct Account: Codable, Hashable, Sendable {
    var name: String
    var passwordHash: String
    /// Milliseconds since 1970.
    var createdAt: Int64
  }

  let folder: String

  /// The name of an account's file and the subject of its links.
  static func digest(_ name: String) -> String { hexText(Digest.sha256.hash(Array(name.utf8)).prefix(20)) }

  /// Whether another account may be stored.
  ///
  /// - Complexity: O(*n*) in the accounts that wait.
  var hasRoom: Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0 < Self.maximumAccounts
  }

  /// Stores an account; a former one of that name is replaced, and its links end.
  ///
  /// - Throws: ``ServerError`` when the folder cannot be written.
  func put(_ account: Account) throws(ServerError) {
    try PrivateFolder.make(folder)
    let data = (try? JSONEncoder().encode(account)) ?? Data()
    try SecretFile.write(String(decoding: data, as: UTF8.self) + "\n", to: path(Self.digest(account.name)))
  }

  /// The account with a digest that is not older than `lifetime`.
  func account(_ digest: String, at now: WallTime, lifetime: Duration) -> Account? {
    guard digest.utf8.count == 40, digest.utf8.allSatisfy({ hexDigits.contains($0) }),
      let data = FileManager.default.contents(atPath: path(digest)),
      let account = try? JSONDecoder().decode(Account.self, from: data),
      WallTime(millisecondsSince1970: account.createdAt) + lifetime > now
    else { return nil }
    return account
  }

  private var hexDigits: [UInt8] { Array("0123456789abcdef".utf8) }

  func remove(_ digest: String) { try? FileManager.default.removeItem(atPath: path(digest)) }

  /// Removes the accounts that waited too long.
  func removeExpired(at now: WallTime, lifetime: Duration) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(".account") {
      let digest = String(name.dropLast(".account".count))
      if account(digest, at: now, lifetime: lifetime) == nil { remove(digest) }
    }
  }

  private func path(_ digest: String) -> String { folder + "/" + digest + ".account" }
}
