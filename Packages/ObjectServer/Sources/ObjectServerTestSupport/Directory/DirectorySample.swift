public import ObjectServer
import Permissions
import Telemetry

/// Records of every table of a directory.
public enum DirectorySample {
  /// Writes them into an empty directory.
  ///
  /// - Throws: the directory's error.
  public static func fill(_ directory: any Directory) throws {
    let time = WallTime(secondsSince1970: 1_000)
    for name in ["ann", "bob", "eve"] {
      _ = try directory.createUser(
        UserRecord(id: UserId(name), isAdministrator: name == "ann", createdAt: time),
        identity: IdentityRecord(provider: "p", name: name, user: UserId(name), passwordHash: "hash of \(name)"))
      _ = try directory.createLogin(
        LoginRecord(id: "login \(name)", user: UserId(name), app: "app", key: "k", createdAt: time, expiresAt: time),
        proof: .lasting)
      try directory.createAPIKey(
        APIKeyRecord(id: "key \(name)", user: UserId(name), name: "k", digest: "digest \(name)", createdAt: time),
        by: nil)
      let path = try RealmPath("/\(name)/todo")
      _ = try directory.recordRealm(path, createdBy: UserId(name), at: time)
      try directory.setGrant(Grant(path: path, grantee: Grantee("bob"), level: .write, updatedAtMilliseconds: 5))
      try directory.setGrant(Grant(path: path, grantee: Grantee("eve"), level: .none, updatedAtMilliseconds: 6))
      try directory.createOffer(
        OfferRecord(token: "offer \(name)", user: UserId(name), path: path, level: .read, createdAt: time))
    }
    _ = try directory.renameRealm(try RealmPath("/eve/todo"), to: try RealmPath("/eve/done"))
    _ = try directory.createUser(
      UserRecord(id: "gone", createdAt: time), identity: IdentityRecord(provider: "p", name: "gone", user: "gone"))
    try directory.deleteUser("gone")
  }

  /// Everything that can be asked about them.
  ///
  /// - Throws: the directory's error.
  public static func answers(of directory: any Directory) throws -> [String] {
    var answers = [try "\(directory.users())", try "\(directory.allRealms())"]
    for name in ["ann", "bob", "eve"] {
      let user = UserId(name)
      answers.append(try "\(String(describing: directory.user(user)))")
      answers.append(try "\(String(describing: directory.identity(provider: "p", name: name)))")
      answers.append(try "\(directory.identities(of: user)) \(directory.apiKeys(of: user))")
      answers.append(try "\(String(describing: directory.login("login \(name)")))")
      answers.append(try "\(String(describing: directory.apiKey(digest: "digest \(name)")))")
      answers.append(try "\(directory.realms(in: user)) \(directory.grants(to: user)) \(directory.offers(of: user))")
      answers.append(try "\(String(describing: directory.offer("offer \(name)")))")
      for realm in ["todo", "done"] {
        let path = try RealmPath("/\(name)/\(realm)")
        answers.append(try "\(directory.facts(of: path)) \(String(describing: directory.renamedPath(of: path)))")
        answers.append(try "\(String(describing: directory.withdrawal(of: Grantee("eve"), from: path)))")
      }
    }
    return answers
  }
}
