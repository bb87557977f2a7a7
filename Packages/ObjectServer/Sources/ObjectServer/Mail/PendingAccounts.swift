import ByteCoding
import Cryptography
import Foundation
import Telemetry

/// Accounts that exist once their addresses are confirmed, each in a file: name and password hash. They are no users: nobody can log
/// in with them, and their names are not taken.
///
/// Several registrations of one name wait side by side, because nothing is known of who made them: a link confirms the one that
/// it was sent for, with the password that was chosen then.
struct PendingAccounts: Sendable {
  /// The most accounts that wait; further ones are refused.
  static let maximumAccounts = 10_000
  /// The most registrations of one name that wait; a further one ends the oldest.
  static let maximumOfName = 4

  struct Account: Codable, Hashable, Sendable {
    var name: String
    var passwordHash: String
    /// Milliseconds since 1970.
    var createdAt: Int64
  }

  let folder: String

  /// The beginning of the registrations of a name.
  static func digest(_ name: String) -> String { hexText(Digest.sha256.hash(Array(name.utf8)).prefix(20)) }

  /// Whether another account may be stored.
  ///
  /// - Complexity: O(*n*) in the accounts that wait.
  var hasRoom: Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0 < Self.maximumAccounts
  }

  /// Stores an account.
  ///
  /// - Parameter ident: random hexadecimal digits that no other registration has.
  /// - Returns: the registration: the name of the account's file and the subject of its links.
  /// - Throws: ``ServerError`` when the folder cannot be written.
  /// - Complexity: O(*n*) in the accounts that wait.
  func put(_ account: Account, ident: String, lifetime: Duration) throws(ServerError) -> String {
    try PrivateFolder.make(folder)
    let now = WallTime(millisecondsSince1970: account.createdAt)
    for old in registrations(of: account.name, at: now, lifetime: lifetime).dropLast(Self.maximumOfName - 1) {
      remove(old)
    }
    let registration = Self.digest(account.name) + "-" + ident
    let data = (try? JSONEncoder().encode(account)) ?? Data()
    try SecretFile.write(String(decoding: data, as: UTF8.self) + "\n", to: path(registration))
    return registration
  }

  /// The registrations of a name that are not older than `lifetime`, the oldest first.
  ///
  /// - Complexity: O(*n*) in the accounts that wait.
  func registrations(of name: String, at now: WallTime, lifetime: Duration) -> [String] {
    let digest = Self.digest(name)
    let found = all().filter { $0.hasPrefix(digest) }.compactMap { registration in
      account(registration, at: now, lifetime: lifetime).map { (registration, $0.createdAt) }
    }
    return found.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The account of a registration that is not older than `lifetime`.
  func account(_ registration: String, at now: WallTime, lifetime: Duration) -> Account? {
    guard registration.utf8.count <= 80, registration.utf8.allSatisfy({ nameBytes.contains($0) }),
      let data = FileManager.default.contents(atPath: path(registration)),
      let account = try? JSONDecoder().decode(Account.self, from: data),
      WallTime(millisecondsSince1970: account.createdAt) + lifetime > now
    else { return nil }
    return account
  }

  /// The bytes of registrations: they make no path that leaves the folder.
  private var nameBytes: [UInt8] { Array("0123456789abcdef-".utf8) }

  func remove(_ registration: String) { try? FileManager.default.removeItem(atPath: path(registration)) }

  /// Removes the accounts that waited too long.
  func removeExpired(at now: WallTime, lifetime: Duration) {
    for registration in all() where account(registration, at: now, lifetime: lifetime) == nil { remove(registration) }
  }

  private func all() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { name in
      name.hasSuffix(".account") ? String(name.dropLast(".account".count)) : nil
    }
  }

  private func path(_ registration: String) -> String { folder + "/" + registration + ".account" }
}
