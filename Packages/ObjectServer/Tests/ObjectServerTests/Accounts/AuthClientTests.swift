import AuthClient
import Foundation
@testable import ObjectServer
import Permissions
import Telemetry
import Testing
import Transport

@Suite("AuthClient against the server")
struct AuthClientServerTests {
  func code<Value>(_ work: () async throws -> Value) async -> AuthError.Code? {
    do {
      _ = try await work()
      return nil
    } catch {
      return (error as? AuthError)?.code
    }
  }

  @Test("a user is made when missing, logs in, refreshes, changes the password and logs out")
  func life() async throws {
    let stage = try Stage()
    let phone = try stage.client(), tablet = try stage.client("tablet")
    let ann = try await stage.drive { try await phone.logIn(.usernamePassword("ann", "secret", register: .ifMissing)) }
    #expect(phone.currentUser == ann)
    #expect(ann.name == "ann")
    let same = try await stage.drive {
      try await tablet.logIn(.usernamePassword("ann", "secret", register: .ifMissing))
    }
    #expect(same.id == ann.id)
    #expect(
      await code { try await stage.drive { try await tablet.logIn(.usernamePassword("ann", "nope")) } }
        == .invalidCredentials)
    #expect(
      await code { try await stage.drive { try await tablet.logIn(.usernamePassword("ann", "x", register: .always)) } }
        == .userExists)

    stage.run(.seconds(3_600))
    #expect(!ann.hasFreshToken(at: stage.loop.wallTime))
    let token = try await stage.drive { try await phone.accessToken(of: ann.id) }
    #expect(phone.user(ann.id)?.accessToken?.unredacted == token)
    #expect(try await stage.drive { try await phone.profile(of: ann.id) }.data["email"] == "ann")

    try await stage.drive { try await phone.changePassword(to: "new one", by: ann.id) }
    #expect(await code { try await stage.drive { try await tablet.refresh(ann.id) } } == .loginEnded)
    #expect(
      await code { try await stage.drive { try await tablet.logIn(.usernamePassword("ann", "secret")) } }
        == .invalidCredentials)
    _ = try await stage.drive { try await phone.refresh(ann.id) }

    try await stage.drive { try await phone.logOut(ann.id) }
    #expect(phone.currentUser == nil)
    #expect(await code { try await stage.drive { try await phone.accessToken(of: ann.id) } } == .notLoggedIn)
  }

  @Test("a device that starts offline knows its user, and says what is wrong when it needs the server")
  func offline() async throws {
    let stage = try Stage()
    let store = MemoryTokenStore()
    let first = try stage.client(store: store)
    let ann = try await stage.drive { try await first.logIn(.usernamePassword("ann", "secret", register: .always)) }
    stage.stop()
    let next = try stage.client(store: store)
    #expect(next.currentUser == ann)
    #expect(try await stage.drive { try await next.accessToken(of: ann.id) } == ann.accessToken?.unredacted)
    do {
      _ = try await stage.drive { try await next.refresh(ann.id) }
      Issue.record("there is no server")
    } catch let error as AuthError {
      #expect(error.code == .unreachable)
      #expect(error.description.contains("server is running"))
    }
  }

  @Test("owners grant, list and revoke; others cannot")
  func permissions() async throws {
    let stage = try Stage()
    let phone = try stage.client(), tablet = try stage.client("tablet")
    let ann = try await stage.drive { try await phone.logIn(.usernamePassword("ann", "a", register: .always)) }
    let ben = try await stage.drive { try await tablet.logIn(.usernamePassword("ben", "b", register: .always)) }
    try await stage.drive {
      try await phone.apply(SyncPermission(realmPath: "/~/todo", username: "ben", accessLevel: .write), by: ann.id)
    }
    let granted = try await stage.drive { try await tablet.permissions(of: ben.id) }
    #expect(granted.map(\.path) == ["/\(ann.id)/todo"])
    #expect(granted.map(\.accessLevel) == [.write])
    let onPath = try await stage.drive { try await phone.permissions(on: "/~/todo", by: ann.id) }
    #expect(onPath.map(\.identity) == [ben.id.rawValue])

    let steal = SyncPermission(realmPath: "/\(ann.id)/todo", identity: "*", accessLevel: .admin)
    #expect(await code { try await stage.drive { try await tablet.apply(steal, by: ben.id) } } == .permissionDenied)
    #expect(
      await code { try await stage.drive { _ = try await tablet.permissions(on: "/\(ann.id)/todo", by: ben.id) } }
        == .permissionDenied)
    let unknown = SyncPermission(realmPath: "/~/todo", username: "nobody", accessLevel: .read)
    #expect(await code { try await stage.drive { try await phone.apply(unknown, by: ann.id) } } == .userNotFound)
    let badPath = SyncPermission(realmPath: "/a//b", username: "ben", accessLevel: .read)
    #expect(await code { try await stage.drive { try await phone.apply(badPath, by: ann.id) } } == .invalidParameter)

    try await stage.drive {
      try await phone.apply(
        SyncPermission(realmPath: "/~/todo", identity: ben.id.rawValue, accessLevel: .none), by: ann.id)
    }
    #expect(try await stage.drive { try await tablet.permissions(of: ben.id) }.isEmpty)
  }

  @Test("an offer gives access to whoever accepts it, adds and never takes away, and can be withdrawn")
  func offers() async throws {
    let stage = try Stage()
    let phone = try stage.client(), tablet = try stage.client("tablet")
    let ann = try await stage.drive { try await phone.logIn(.usernamePassword("ann", "a", register: .always)) }
    let ben = try await stage.drive { try await tablet.logIn(.usernamePassword("ben", "b", register: .always)) }
    let write = try await stage.drive { try await phone.createOffer(path: "/~/todo", level: .write, by: ann.id) }
    #expect(try await stage.drive { try await tablet.acceptOffer(token: write, by: ben.id) } == "/\(ann.id)/todo")
    let read = try await stage.drive {
      try await phone.createOffer(
        path: "/~/todo", level: .read, expiresAt: Date(timeIntervalSince1970: 1_767_999_999), by: ann.id)
    }
    _ = try await stage.drive { try await tablet.acceptOffer(token: read, by: ben.id) }
    #expect(try await stage.drive { try await tablet.permissions(of: ben.id) }.map(\.accessLevel) == [.write])
    #expect(try await stage.drive { try await phone.offers(of: ann.id) }.map(\.token).contains(read))
    try await stage.drive { try await phone.invalidateOffer(token: write, by: ann.id) }
    #expect(
      await code { try await stage.drive { _ = try await tablet.acceptOffer(token: write, by: ben.id) } }
        == .offerUnusable)
    stage.run(.seconds(86_400 * 10))
    #expect(
      await code { try await stage.drive { _ = try await tablet.acceptOffer(token: read, by: ben.id) } }
        == .offerUnusable)
    #expect(
      await code {
        try await stage.drive { _ = try await tablet.createOffer(path: "/\(ann.id)/todo", level: .read, by: ben.id) }
      } == .permissionDenied)
  }

  @Test("only an administrator looks up users and changes the password of another")
  func administration() async throws {
    let stage = try Stage()
    let phone = try stage.client()
    let ann = try await stage.drive { try await phone.logIn(.usernamePassword("ann", "a", register: .always)) }
    let (root, token) = try stage.user("root", isAdministrator: true)
    let admin = try stage.client("desk")
    _ = try await stage.drive { try await admin.logIn(.tokens(access: token)) }
    #expect(try await stage.drive { try await admin.userId(ofName: "ann", by: root) } == ann.id)
    #expect(
      await code { try await stage.drive { _ = try await phone.userId(ofName: "root", by: ann.id) } }
        == .permissionDenied)
    #expect(
      await code { try await stage.drive { try await phone.changePassword(to: "x", by: ann.id, of: root) } }
        == .permissionDenied)
    try await stage.drive { try await admin.changePassword(to: "fresh", by: root, of: ann.id) }
    _ = try await stage.drive { try await phone.logIn(.usernamePassword("ann", "fresh")) }
  }
}
