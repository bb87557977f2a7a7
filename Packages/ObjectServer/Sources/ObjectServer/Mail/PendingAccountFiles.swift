import Foundation
import Telemetry

/// The pending accounts of a server that is alone, each in a file of one folder.
struct PendingAccountFiles: PendingAccounts {
  let folder: String

  /// - Complexity: O(*n*) in the accounts that wait.
  func hasRoom() -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0 < PendingAccountRules.maximumAccounts
  }

  /// Stores an account.
  ///
  /// - Returns: the registration, which is the name of the account's file.
  /// - Throws: ``ServerError`` when the folder cannot be written.
  /// - Complexity: O(*n*) in the accounts that wait.
  func put(_ account: PendingAccount, ident: String, lifetime: Duration) throws(ServerError) -> String {
    try PrivateFolder.make(folder)
    let now = WallTime(millisecondsSince1970: account.createdAt)
    let earlier = registrations(of: account.name, at: now, lifetime: lifetime)
    for old in earlier.dropLast(PendingAccountRules.maximumOfName - 1) { remove(old) }
    let registration = PendingAccountRules.registration(of: account.name, ident: ident)
    let data = (try? JSONEncoder().encode(account)) ?? Data()
    try SecretFile.write(String(decoding: data, as: UTF8.self) + "\n", to: path(registration))
    return registration
  }

  /// The registrations of a name that are not older than `lifetime`, the oldest first.
  ///
  /// - Complexity: O(*n*) in the accounts that wait.
  func registrations(of name: String, at now: WallTime, lifetime: Duration) -> [String] {
    let digest = PendingAccountRules.digest(name)
    let found = all().filter { $0.hasPrefix(digest) }.compactMap { registration in
      account(registration, at: now, lifetime: lifetime).map { (registration, $0.createdAt) }
    }
    return found.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
  }

  /// The account of a registration that is not older than `lifetime`.
  func account(_ registration: String, at now: WallTime, lifetime: Duration) -> PendingAccount? {
    // They make no path that leaves the folder.
    guard PendingAccountRules.isRegistration(registration),
      let data = FileManager.default.contents(atPath: path(registration)),
      let account = try? JSONDecoder().decode(PendingAccount.self, from: data),
      WallTime(millisecondsSince1970: account.createdAt) + lifetime > now
    else { return nil }
    return account
  }

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
