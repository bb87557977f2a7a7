public import ObjectServer
import PostgresClient
public import Telemetry

/// The pending accounts of the nodes of a cluster, in its database: a link in a mail works at each node, whichever was asked to register
/// the account.
public struct PostgresPendingAccounts: PendingAccounts {
  private let database: ClusterDatabase

  /// The accounts in a database.
  public init(_ database: ClusterDatabase) { self.database = database }

  /// - Throws: ``ServerError/Code/clusterFailure``
  /// - Complexity: O(*n*) in the accounts that wait.
  public func hasRoom() throws(ServerError) -> Bool {
    try query("SELECT count(*) FROM pending_account", []).integer(0, 0) ?? 0 < PendingAccountRules.maximumAccounts
  }

  /// Stores an account.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func put(_ account: PendingAccount, ident: String, lifetime: Duration) throws(ServerError) -> String {
    let registration = PendingAccountRules.registration(of: account.name, ident: ident)
    do {
      try database.repeating { connection in
        try connection.transaction {
          // One at a time for a name, so that no two nodes leave one too many.
          try connection.query(
            "SELECT pg_advisory_xact_lock(hashtextextended('pending ' || $1, 0))",
            parameters: [Self.prefix(account.name)])
          try connection.query(
            """
            DELETE FROM pending_account WHERE registration IN (
              SELECT registration FROM pending_account WHERE registration LIKE $1 AND registration <> $3
              ORDER BY created DESC, registration DESC OFFSET $2)
            """,
            parameters: [
              Self.prefix(account.name), .integer(Int64(PendingAccountRules.maximumOfName - 1)), .text(registration),
            ])
          // A repetition after a lost connection finds its own row.
          try connection.query(
            "INSERT INTO pending_account VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
            parameters: [
              .text(registration), .text(account.name), .text(account.passwordHash), .integer(account.createdAt),
            ])
        }
      }
    } catch { throw ClusterDatabase.failure(error) }
    return registration
  }

  /// The registrations of a name, the oldest first.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func registrations(of name: String, at now: WallTime, lifetime: Duration) throws(ServerError) -> [String] {
    let rows = try query(
      """
      SELECT registration FROM pending_account WHERE registration LIKE $1 AND created > $2 ORDER BY created, registration
      """,
      [Self.prefix(name), Self.oldest(now, lifetime)])
    return (0..<rows.count).compactMap { rows[$0, 0] }
  }

  /// The account of a registration.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func account(
    _ registration: String, at now: WallTime, lifetime: Duration
  ) throws(ServerError) -> PendingAccount? {
    guard PendingAccountRules.isRegistration(registration) else { return nil }
    let rows = try query(
      "SELECT name, password_hash, created FROM pending_account WHERE registration = $1 AND created > $2",
      [.text(registration), Self.oldest(now, lifetime)])
    guard rows.count == 1, let name = rows[0, 0], let hash = rows[0, 1], let created = rows.integer(0, 2) else {
      return nil
    }
    return PendingAccount(name: name, passwordHash: hash, createdAt: created)
  }

  /// Removes a registration.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func remove(_ registration: String) throws(ServerError) {
    _ = try query("DELETE FROM pending_account WHERE registration = $1", [.text(registration)])
  }

  /// Removes the accounts that waited too long.
  ///
  /// - Throws: ``ServerError/Code/clusterFailure``
  public func removeExpired(at now: WallTime, lifetime: Duration) throws(ServerError) {
    _ = try query("DELETE FROM pending_account WHERE created <= $1", [Self.oldest(now, lifetime)])
  }

  /// A pattern for the registrations of a name; digests have no characters that mean something in it.
  private static func prefix(_ name: String) -> PostgresParameter { .text(PendingAccountRules.digest(name) + "-%") }

  /// Milliseconds since 1970 of what is too old.
  private static func oldest(_ now: WallTime, _ lifetime: Duration) -> PostgresParameter {
    .integer((now + (.zero - lifetime)).millisecondsSince1970)
  }

  private func query(_ statement: String, _ parameters: [PostgresParameter]) throws(ServerError) -> PostgresResult {
    do { return try database.repeating { try $0.query(statement, parameters: parameters) } } catch {
      throw ClusterDatabase.failure(error)
    }
  }
}
