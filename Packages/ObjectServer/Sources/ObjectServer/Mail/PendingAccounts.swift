import ByteCoding
import Cryptography
public import Telemetry

/// A registration that becomes a user when its address is confirmed.
public struct PendingAccount: Codable, Hashable, Sendable {
  /// The mail address, which becomes the user's name.
  public var name: String
  /// The password, as the directory will have it.
  public var passwordHash: String
  /// Milliseconds since 1970.
  public var createdAt: Int64

  /// A registration.
  public init(name: String, passwordHash: String, createdAt: Int64) {
    self.name = name
    self.passwordHash = passwordHash
    self.createdAt = createdAt
  }
}

/// The accounts that exist once their addresses are confirmed. They are no users: nobody can log in with them, and their names are not
/// taken.
///
/// Several registrations of one name wait side by side, because nothing is known of who made them: a link confirms the one that
/// it was sent for, with the password that was chosen then. Functions block. From any thread.
public protocol PendingAccounts: Sendable {
  /// Whether another account may be stored.
  ///
  /// - Throws: ``ServerError`` when they cannot be counted.
  func hasRoom() throws(ServerError) -> Bool
  /// Stores an account, in the place of the oldest of its name when too many wait.
  ///
  /// - Parameter ident: random hexadecimal digits that no other registration has.
  /// - Returns: the registration: the subject of its links, hexadecimal digits and hyphens.
  /// - Throws: ``ServerError`` when it cannot be stored.
  func put(_ account: PendingAccount, ident: String, lifetime: Duration) throws(ServerError) -> String
  /// The registrations of a name that are not older than `lifetime`, the oldest first.
  ///
  /// - Throws: ``ServerError`` when they cannot be read.
  func registrations(of name: String, at now: WallTime, lifetime: Duration) throws(ServerError) -> [String]
  /// The account of a registration that is not older than `lifetime`; nil also for a text that is no registration.
  ///
  /// - Throws: ``ServerError`` when it cannot be read.
  func account(_ registration: String, at now: WallTime, lifetime: Duration) throws(ServerError) -> PendingAccount?
  /// Removes a registration; one that is not there is none.
  ///
  /// - Throws: ``ServerError`` when it cannot be removed.
  func remove(_ registration: String) throws(ServerError)
  /// Removes the accounts that waited too long.
  ///
  /// - Throws: ``ServerError`` when they cannot be removed.
  func removeExpired(at now: WallTime, lifetime: Duration) throws(ServerError)
}

/// The rules of all pending accounts, wherever they are.
public enum PendingAccountRules {
  /// The most accounts that wait; further ones are refused.
  public static let maximumAccounts = 10_000
  /// The most registrations of one name that wait; a further one ends the oldest.
  public static let maximumOfName = 4

  /// The registration of a name.
  ///
  ///     PendingAccountRules.registration(of: "ann@example.org", ident: "17ab")   // 40 digits, a hyphen, 17ab
  public static func registration(of name: String, ident: String) -> String { digest(name) + "-" + ident }

  /// The beginning of the registrations of a name.
  public static func digest(_ name: String) -> String { hexText(Digest.sha256.hash(Array(name.utf8)).prefix(20)) }

  /// Whether a text, as a link has it, may be a registration.
  public static func isRegistration(_ text: String) -> Bool {
    text.utf8.count <= 80
      && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) || $0 == 45 }
  }
}
