import Cryptography
public import Permissions
import Telemetry

extension EmbeddedServer {
  /// Makes a user with a name and a password in the directory, as registering would.
  ///
  /// - Throws: ``ServerError``, with the rule that a name or password breaks.
  public func addUser(
    name: String, password: String, isAdministrator: Bool, policy: AccountPolicy = AccountPolicy()
  ) throws(ServerError) -> UserId {
    try withAccounts(policy, "added") {
      try $0.register(name: name, password: password, isAdministrator: isAdministrator).id
    }
  }

  /// Makes the first administrator of a data directory that has no user yet, with a password that nobody knows before.
  ///
  /// - Returns: the name and the password, which is not kept and cannot be asked for again; nil when there are users.
  /// - Throws: ``ServerError``
  public func makeFirstAdministrator(
    policy: AccountPolicy = AccountPolicy()
  ) throws(ServerError) -> (name: String, password: String)? {
    let directory = try openDirectory()
    defer { directory.close() }
    guard try directory.users(matching: nil, after: nil, limit: 1).isEmpty else { return nil }
    let password = random.hex(digits: max(32, policy.minimumPasswordBytes))
    _ = try addUser(name: Self.firstAdministrator, password: password, isAdministrator: true, policy: policy)
    return (Self.firstAdministrator, password)
  }

  /// The name of the first administrator.
  public static let firstAdministrator = "realm-admin"

  /// Changes a user's password, ends their logins and revokes their API keys: a running server closes their connections
  /// within a second.
  ///
  /// - Parameter keepsAPIKeys: whether the keys go on opening logins.
  /// - Returns: how many API keys were revoked.
  /// - Throws: ``ServerError``; ``ServerError/Code/noSuchUser``
  @discardableResult
  public func setPassword(
    ofUser name: String, to password: String, policy: AccountPolicy = AccountPolicy(), keepsAPIKeys: Bool = false
  ) throws(ServerError) -> Int {
    try checkUsed()
    return try withAccounts(policy, "changed") { accounts in
      guard let identity = try accounts.directory.identity(provider: AuthProvider.password.rawValue, name: name) else {
        throw Self.noSuchUser(name)
      }
      try accounts.checkPassword(password)
      return try accounts.setPassword(password, of: identity, keepingLogin: nil, keepsKeys: keepsAPIKeys)
    }
  }

  /// Removes a user with logins, grants and offers; their realms stay. A running server closes their connections within a
  /// second.
  ///
  /// - Parameter name: the name they log in with, or their id.
  /// - Throws: ``ServerError``; ``ServerError/Code/noSuchUser``
  public func removeUser(_ name: String) throws(ServerError) {
    try checkUsed()
    let directory = try openDirectory()
    defer { directory.close() }
    guard let user = try directory.user(named: name) else { throw Self.noSuchUser(name) }
    try directory.deleteUser(user.id)
  }

  /// Suspends a user, or lets them in again; makes them an administrator, or ends that. A running server applies it to their
  /// connections within a second.
  ///
  /// - Parameters:
  ///   - name: the name they log in with, or their id.
  ///   - isSuspended: whether they are kept out; nil leaves as it is.
  ///   - isAdministrator: whether they administer the server; nil leaves as it is.
  /// - Throws: ``ServerError``; ``ServerError/Code/noSuchUser``
  public func changeUser(
    _ name: String, isSuspended: Bool? = nil, isAdministrator: Bool? = nil
  ) throws(ServerError) {
    try checkUsed()
    let directory = try openDirectory()
    defer { directory.close() }
    guard let user = try directory.user(named: name),
      try directory.updateUser(user.id, isAdministrator: isAdministrator, isDisabled: isSuspended)
    else { throw Self.noSuchUser(name) }
  }

  private static func noSuchUser(_ name: String) -> ServerError {
    ServerError(.noSuchUser, "there is no user '\(name)'", remedy: "'users list' shows the names and ids")
  }

  private func withAccounts<Value>(
    _ policy: AccountPolicy, _ verb: String, _ work: (Accounts) throws -> Value
  ) throws(ServerError) -> Value {
    let directory = try openDirectory()
    defer { directory.close() }
    let keys = try ServerKeys.load(from: layout.keys, random: random)
    let accounts = Accounts(
      directory: directory, policy: policy, issuer: keys.issuer, foreignKeys: [], random: random,
      clock: SystemWallClock())
    do {
      return try work(accounts)
    } catch let error as ServerError {
      throw error
    } catch let error as APIError {
      throw ServerError(
        .directoryFailure, "the user cannot be \(verb): \(error.message)", remedy: "choose another name or password")
    } catch {
      throw ServerError(
        .directoryFailure, "the user cannot be \(verb)", remedy: "check the data directory", cause: error)
    }
  }
}
