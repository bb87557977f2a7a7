import AuthClient
import Cryptography
import Foundation
@testable import ObjectServer
import Permissions
import Telemetry
import TestKit
import Testing
import Transport

@Suite("revocation")
struct RevocationTests {
  /// Ann, who registered and logged in, and a login that was made with a key of hers.
  struct Holder {
    var access: String
    var refresh: String
    var keyId: String
    var secret: String
    var keyAccess: String
    var keyRefresh: String

    init(_ stage: Stage) throws {
      let login = try Self.logIn(stage, register: true)
      (access, refresh) = (login.access, login.refresh)
      let key = try HTTPTests.json(
        try stage.send("POST", HTTPTests.auth + "/api_keys", bearer: refresh, body: #"{"name":"robot"}"#))
      keyId = try #require(key["_id"] as? String)
      secret = try #require(key["key"] as? String)
      let robot = try HTTPTests.json(try Self.logIn(stage, key: secret))
      keyAccess = try #require(robot["access_token"] as? String)
      keyRefresh = try #require(robot["refresh_token"] as? String)
    }

    static func logIn(_ stage: Stage, register: Bool = false) throws -> (access: String, refresh: String) {
      let provider = HTTPTests.app + "/auth/providers/local-userpass"
      if register {
        _ = try stage.send("POST", provider + "/register", body: #"{"email":"ann","password":"old"}"#)
      }
      let json = try HTTPTests.json(
        try stage.send("POST", provider + "/login", body: #"{"username":"ann","password":"old"}"#))
      return (try #require(json["access_token"] as? String), try #require(json["refresh_token"] as? String))
    }

    static func logIn(_ stage: Stage, key: String) throws -> HTTPResponse {
      try stage.send("POST", HTTPTests.app + "/auth/providers/api-key/login", body: #"{"key":"\#(key)"}"#)
    }
  }

  private static func refresh(_ stage: Stage, _ token: String) throws -> Int {
    try stage.send("POST", HTTPTests.auth + "/session", bearer: token).status
  }

  @Test("a new password ends the logins that were made with API keys, and the keys unless they are kept by name")
  func passwordChange() throws {
    for (choice, keyStatus) in [("", 401), (#","keepAPIKeys":false"#, 401), (#","keepAPIKeys":true"#, 200)] {
      let stage = try Stage()
      let ann = try Holder(stage)
      let connection = try stage.connect(ann.keyAccess)
      let changed = try stage.send(
        "PUT", "/api/openrealm/v1/password", bearer: ann.access, body: #"{"password":"new"\#(choice)}"#)
      #expect(changed.status == 204)
      #expect(try Self.refresh(stage, ann.keyRefresh) == 401, "\(choice)")
      #expect(connection.closeCode == 4001, "\(choice)")
      #expect(try Holder.logIn(stage, key: ann.secret).status == keyStatus, "\(choice)")
      #expect(try Self.refresh(stage, ann.refresh) == 201, "the login that changed the password stays")
    }
  }

  @Test("a new password counts for every name of the user, and the old ones open nothing")
  func severalNames() throws {
    let stage = try Stage()
    let ann = try Holder(stage)
    let provider = HTTPTests.app + "/auth/providers/local-userpass"
    #expect(
      try stage.send("POST", provider + "/register", body: #"{"email":"bea","password":"older"}"#).status == 201)
    let link = #"{"username":"bea","password":"older"}"#
    #expect(try stage.send("POST", provider + "/login?link=true", bearer: ann.access, body: link).status == 200)
    let change = try stage.send(
      "PUT", "/api/openrealm/v1/password", bearer: ann.access, body: #"{"password":"new"}"#)
    #expect(change.status == 204)
    for (name, password, status) in [
      ("ann", "old", 401), ("bea", "older", 401), ("ann", "new", 200), ("bea", "new", 200),
    ] {
      let body = #"{"username":"\#(name)","password":"\#(password)"}"#
      #expect(try stage.send("POST", provider + "/login", body: body).status == status, "\(name) \(password)")
    }
  }

  @Test(
    "a user changes the password a few times at once, then every half minute; an administrator as often as there is need"
  )
  func passwordRate() throws {
    let stage = try Stage()
    let ann = try Holder(stage)
    let root = try stage.user("root", isAdministrator: true)
    let id = try #require(try stage.directory.identity(provider: "local-userpass", name: "ann")).user
    func change(_ token: String) throws -> Int {
      try stage.send(
        "PUT", "/api/openrealm/v1/password", bearer: token, body: #"{"password":"new","userId":"\#(id)"}"#
      ).status
    }
    for _ in 1...5 { #expect(try change(ann.access) == 204) }
    #expect(try change(ann.access) == 429)
    stage.run(.seconds(31))
    #expect(try change(ann.access) == 204)
    #expect(try change(ann.access) == 429)
    for _ in 1...10 { #expect(try change(root.token) == 204) }
  }

  @Test("an administrator's change of the password does the same to every login and key of the user")
  func administrator() throws {
    let stage = try Stage()
    let ann = try Holder(stage)
    let root = try stage.user("root", isAdministrator: true)
    let id = try #require(try stage.directory.identity(provider: "local-userpass", name: "ann")).user
    let body = #"{"password":"new","userId":"\#(id)"}"#
    #expect(try stage.send("PUT", "/api/openrealm/v1/password", bearer: root.token, body: body).status == 204)
    for token in [ann.refresh, ann.keyRefresh] { #expect(try Self.refresh(stage, token) == 401) }
    #expect(try Holder.logIn(stage, key: ann.secret).status == 401)
  }

  @Test(
    "a key that is disabled or deleted ends its own logins and connections, and no others", arguments: [true, false])
  func keys(isDeleted: Bool) throws {
    let stage = try Stage()
    let ann = try Holder(stage)
    let robot = try stage.connect(ann.keyAccess), person = try stage.connect(ann.access)
    let path = HTTPTests.auth + "/api_keys/" + ann.keyId
    let done =
      isDeleted
      ? try stage.send("DELETE", path, bearer: ann.refresh)
      : try stage.send("PUT", path + "/disable", bearer: ann.refresh)
    #expect(done.status == 204)
    #expect(try Self.refresh(stage, ann.keyRefresh) == 401)
    #expect(robot.closeCode == 4001)
    #expect(try Self.refresh(stage, ann.refresh) == 201)
    #expect(person.closure == nil)
  }

  @Test("a login whose proof went while it was made does not come into being")
  func proofGone() throws {
    let stage = try Stage()
    var policy = AccountPolicy()
    policy.passwordCost = 4
    policy.minimumPasswordBytes = 1
    let accounts = Accounts(
      directory: stage.directory, policy: policy, issuer: stage.issuer, foreignKeys: [],
      random: RandomSource(SeededGenerator(seed: 1)), clock: stage.loop)
    let ann = try accounts.register(name: "ann", password: "old")
    #expect(throws: APIError.wrongPassword) {
      try accounts.openLogin(
        ann, app: "", lifetime: .seconds(60), proof: .password(provider: "local-userpass", name: "ann", hash: "other"))
    }
    #expect(throws: APIError.badKey) {
      try accounts.openLogin(ann, app: "", lifetime: .seconds(60), key: "k", proof: .apiKey(digest: "none"))
    }
    #expect(try stage.directory.endLogins(of: ann.id, except: nil) == 0)
    // The hash is renewed at another cost only while it is the one that was checked.
    let identity = try #require(try stage.directory.identity(provider: "local-userpass", name: "ann"))
    let checked = try #require(identity.passwordHash)
    _ = try accounts.setPassword("new", of: identity, keepingLogin: nil, keepsKeys: false)
    #expect(
      try !stage.directory.replacePasswordHash(checked, with: "renewed", provider: "local-userpass", name: "ann"))
    _ = try accounts.logIn(name: "ann", password: "new", app: "")
  }

  @Test("a user who lost a grant, or a part of it, gets nothing by an offer made before; a newer offer counts again")
  func offers() async throws {
    for lowered in [SyncAccessLevel.none, .read] {
      let stage = try Stage()
      let phone = try stage.client(), tablet = try stage.client("tablet"), other = try stage.client("other")
      let ann = try await stage.drive { try await phone.logIn(.usernamePassword("ann", "a", register: .always)) }
      let ben = try await stage.drive { try await tablet.logIn(.usernamePassword("ben", "b", register: .always)) }
      let cid = try await stage.drive { try await other.logIn(.usernamePassword("cid", "c", register: .always)) }
      let offer = try await stage.drive { try await phone.createOffer(path: "/~/todo", level: .write, by: ann.id) }
      _ = try await stage.drive { try await tablet.acceptOffer(token: offer, by: ben.id) }
      stage.run(.seconds(1))
      try await stage.drive {
        try await phone.apply(SyncPermission(realmPath: "/~/todo", username: "ben", accessLevel: lowered), by: ann.id)
      }
      let refused = await AuthClientServerTests().code {
        try await stage.drive { _ = try await tablet.acceptOffer(token: offer, by: ben.id) }
      }
      #expect(refused == .offerUnusable, "\(lowered)")
      let kept = try await stage.drive { try await tablet.permissions(of: ben.id) }
      #expect(kept.map(\.accessLevel) == (lowered == .none ? [] : [lowered]))
      // Users who lost nothing may still accept the offer.
      _ = try await stage.drive { try await other.acceptOffer(token: offer, by: cid.id) }
      stage.run(.seconds(1))
      let newer = try await stage.drive { try await phone.createOffer(path: "/~/todo", level: .write, by: ann.id) }
      _ = try await stage.drive { try await tablet.acceptOffer(token: newer, by: ben.id) }
      #expect(try await stage.drive { try await tablet.permissions(of: ben.id) }.map(\.accessLevel) == [.write])
    }
  }
}
