import ObjectServer
import Permissions
import Telemetry

extension DirectoryLaw {
  /// A path is new once, whatever becomes of its realm.
  static func aPathIsNewOnce(_ directory: any Directory) throws {
    let (a, b) = (try RealmPath("/ann/a"), try RealmPath("/ann/b"))
    func isNew(_ path: RealmPath) throws -> Bool { try directory.recordRealm(path, createdBy: "ann", at: time) }
    try expect(try [isNew(a), isNew(a)] == [true, false], "a recorded realm is not new")
    try expect(try directory.deleteRealm(a), "the realm is deleted")
    try expect(try !isNew(a), "the path of a deleted realm is not new")
    try expect(try directory.renameRealm(a, to: b), "the realm is renamed")
    try expect(try directory.deleteRealm(b), "the renamed realm is deleted")
    try expect(try [isNew(a), isNew(b)] == [false, false], "neither path is new")
  }

  /// The removal of a user ends their logins, and no login comes after it.
  static func aRemovedUserHasNoLogin(_ directory: any Directory) throws {
    try addUser("ann", to: directory)
    try expect(try directory.login("login ann") != nil, "the user is logged in")
    try expect(try directory.deleteUser("ann"), "the user is removed")
    try expect(try directory.login("login ann") == nil, "the login ended")
    let proof = LoginProof.password(provider: "local-userpass", name: "ann", hash: "hash of ann")
    for proof in [proof, .lasting] {
      let login = LoginRecord(id: "l", user: "ann", app: "a", createdAt: time, expiresAt: time)
      try expect(try !directory.createLogin(login, proof: proof), "a removed user does not log in")
    }
    try expect(try directory.endLogins(of: "ann", except: nil) == 0, "there is no login to end")
    try expect(try directory.removedIdentities(of: "ann").map(\.name) == ["ann"], "the identity is remembered")
  }

  /// A key that is created while its login ends does not come into being, and goes with it otherwise.
  static func aKeyEndsWithItsLogin(_ directory: any Directory) throws {
    try addUser("ann", to: directory)
    func key(_ id: String) -> APIKeyRecord {
      APIKeyRecord(id: id, user: "ann", name: id, digest: "digest " + id, createdAt: time)
    }
    try expect(try directory.createAPIKey(key("before"), by: "login ann"), "a key is created")
    let removed = try directory.setPassword("new", of: identity("ann"), keepingLogin: nil, keepsKeys: false)
    try expect(removed == 1, "the new password removes the key")
    try expect(try !directory.createAPIKey(key("after"), by: "login ann"), "no key is created by a login that ended")
    try expect(try directory.apiKeys(of: "ann").isEmpty, "there is no key")
  }

  /// A partial view has the grants and the existence of its reference realm, under its present name.
  static func aPartialViewFollowsItsRealm(_ directory: any Directory) throws {
    let realm = try RealmPath("/ann/todo"), view = try RealmPath("/ann/todo/__partial/ben/main")
    let rules = AccessRules(), ben = AccessSubject(user: "ben")
    func level(_ path: RealmPath) throws -> AccessLevel {
      rules.decide(ben, wants: .read, of: try directory.facts(of: path)).level
    }
    _ = try directory.recordRealm(realm, createdBy: "ann", at: time)
    try expect(try level(view) == .none, "there is no access without a grant")
    try directory.setGrant(Grant(path: realm, grantee: .user("ben"), level: .write))
    try expect(try level(view) == .write, "the grant on the realm is one on the view")
    try expect(try directory.renameRealm(realm, to: RealmPath("/ann/done")), "the realm is renamed")
    try expect(try level(view) == .write, "the grant goes with the name")
    let news = try RealmPath("/news"), newsView = try RealmPath("/news/__partial/ben/main")
    let missing = rules.decide(ben, wants: .read, of: try directory.facts(of: newsView)).reason
    try expect(missing == .missingRealm, "the view of a missing realm is missing")
    _ = try directory.recordRealm(news, createdBy: "ann", at: time)
    try expect(try level(newsView) == .read, "the view of a public realm is public")
  }

  /// An account in use keeps its name: with realms, grants, keys, other identities, rights, or suspended.
  static func anIdentityInUseStays(_ directory: any Directory) throws {
    for name in ["guest", "plain", "realm", "grant", "key", "offer", "other", "off"] {
      try addUser(name, to: directory)
    }
    try addUser("root", to: directory, isAdministrator: true)
    try directory.recordRealm(try RealmPath("/realm/list"), createdBy: "realm", at: time)
    try directory.setGrant(
      Grant(path: try RealmPath("/guest/list"), grantee: .user("grant"), level: .read, updatedAtMilliseconds: 1))
    try directory.createAPIKey(APIKeyRecord(id: "k", user: "key", name: "k", digest: "d", createdAt: time), by: nil)
    try directory.createOffer(
      OfferRecord(token: "t", user: "offer", path: try RealmPath("/news"), level: .read, createdAt: time))
    let second = IdentityRecord(provider: "p", name: "n", user: "other")
    try expect(try directory.addIdentity(second), "another identity is added")
    try directory.updateUser("off", isAdministrator: nil, isDisabled: true)
    for name in ["realm", "grant", "key", "offer", "other", "off", "root"] {
      try expect(try !directory.moveIdentity(identity(name), to: "guest"), "the identity of '\(name)' stays")
      let owner = try directory.identity(provider: "local-userpass", name: name)?.user
      try expect(owner == UserId(name), "'\(name)' has its identity")
    }
    var changed = identity("plain")
    changed.passwordHash = "another"
    try expect(try !directory.moveIdentity(changed, to: "guest"), "an identity that was changed meanwhile stays")
    try expect(try !directory.moveIdentity(identity("plain"), to: "nobody"), "nothing moves to nobody")
    try expect(try !directory.moveIdentity(identity("plain"), to: "plain"), "nothing moves to itself")
    try expect(try directory.moveIdentity(identity("plain"), to: "guest"), "the identity of an unused user moves")
    try expect(try directory.user("plain") == nil, "its user is removed")
    try expect(try directory.identities(of: "guest").map(\.name) == ["guest", "plain"], "the guest has both")
  }

  /// Texts are compared and ordered by their bytes, and each text is one, also with a zero byte.
  static func textsAreBytes(_ directory: any Directory) throws {
    let names = ["Z", "a", "a\u{0}", "a\u{0}b", "a\u{1}", "a\u{2}", "ab", "e\u{301}", "z", "ß", "é", "日本", "😀"]
    for name in names.reversed() { try addUser(name, to: directory) }
    let found = try directory.users().map(\.user.id.rawValue)
    try expect(found.map { Array($0.utf8) } == names.map { Array($0.utf8) }, "users are in the order of their bytes")
    for name in names {
      let identity = try directory.identity(provider: "local-userpass", name: name)
      let user = identity.map { Array($0.user.rawValue.utf8) }
      try expect(user == Array(name.utf8), "\(name.debugDescription) is itself")
    }
    var pages: [String] = []
    while let page = Optional(try directory.users(matching: nil, after: pages.last.map { UserId($0) }, limit: 2)),
      !page.isEmpty
    {
      pages += page.map(\.user.id.rawValue)
    }
    try expect(pages == found, "the pages are the list")
    let matching = try directory.users(matching: "\u{301}", after: nil, limit: 10)
    try expect(matching.map(\.user.id.rawValue.unicodeScalars.count) == [2], "a part of a text is found by its bytes")
    try expect(try directory.users(matching: "%", after: nil, limit: 10).isEmpty, "no character stands for others")
  }
}
