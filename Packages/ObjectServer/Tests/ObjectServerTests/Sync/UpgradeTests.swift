@testable import ObjectServer
import Permissions
import SyncProtocol
import Testing
import Transport

@Suite("opening a sync connection")
struct UpgradeTests {
  @Test("a token that opens nothing is answered 4001, or 401 for clients that spell versions with a slash")
  func unauthorized() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let expired = try stage.token(ann.id, lifetime: .seconds(1))
    stage.run(.seconds(5))
    for token in [nil, "", "rubbish", expired, ann.token + "x", try stage.token("nobody")] {
      #expect(try stage.connect(token).closeCode == 4001, "\(token ?? "none")")
    }
    #expect(try stage.connect(ann.token).closure == nil)
    let old = try stage.connect(nil, offers: ["com.mongodb.realm-sync/8"])
    guard case .refused(let response)? = old.closure else {
      return #expect(Bool(false), "refused: \(String(describing: old.closure))")
    }
    #expect(response.status == 401)
  }

  @Test("the token may come in the header")
  func header() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    #expect(try stage.connect(nil, headers: ["Authorization": "Bearer \(ann.token)"]).closure == nil)
  }

  @Test("the highest common version is chosen, and what cannot be spoken is refused with 400")
  func versions() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    #expect(try stage.connect(ann.token).token == "com.mongodb.realm-sync#14")
    #expect(
      try stage.connect(ann.token, offers: ["com.mongodb.realm-sync#9", "com.mongodb.realm-sync#8"]).token
        == "com.mongodb.realm-sync#9")
    for offers in [[], ["chat"], ["com.mongodb.realm-sync#99"], ["com.mongodb.realm-sync#x"]] {
      guard case .refused(let response)? = try stage.connect(ann.token, offers: offers).closure else {
        #expect(Bool(false), "\(offers) was accepted")
        continue
      }
      #expect(response.status == 400, "\(offers)")
    }
  }

  @Test("other paths have no sync, and beyond the limit of connections the answer is 503")
  func limits() throws {
    let stage = try Stage { $0.maximumConnections = 2 }
    let ann = try stage.user("ann")
    guard case .refused(let elsewhere)? = try stage.connect(ann.token, path: "/elsewhere").closure else {
      return #expect(Bool(false), "accepted")
    }
    #expect(elsewhere.status == 404)
    _ = try stage.connect(ann.token)
    _ = try stage.connect(ann.token)
    guard case .refused(let third)? = try stage.connect(ann.token).closure else {
      return #expect(Bool(false), "accepted")
    }
    #expect(third.status == 503)
  }

  @Test("logging out, a new password and deletion end the connections of the login with 4001")
  func revoked() throws {
    let stage = try Stage()
    let response = try stage.send("POST", HTTPTests.app + "/auth/providers/anon-user/login")
    let json = try HTTPTests.json(response)
    let access = try #require(json["access_token"] as? String)
    let refresh = try #require(json["refresh_token"] as? String)
    let client = try stage.connect(access)
    #expect(client.closure == nil)
    #expect(try stage.send("DELETE", HTTPTests.auth + "/session", bearer: refresh).status == 204)
    #expect(client.closeCode == 4001)
  }

  @Test("a connection ends soon after the token that opened it has expired; a new token opens another")
  func expiry() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (short, _) = try stage.session(try stage.token(ann.id, lifetime: .seconds(300)), "/~/todo")
    let (long, _) = try stage.session(ann.token, "/~/todo")
    stage.run(.seconds(280))
    #expect(short.closure == nil)
    stage.run(.seconds(90))
    #expect(short.closeCode == 4001)
    #expect(long.closure == nil)
    #expect(try stage.connect(try stage.token(ann.id, lifetime: .seconds(300))).closure == nil)
  }

  @Test("text, rubbish and half messages are answered with an error and harm nobody else")
  func rubbish() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (other, _) = try stage.session(ann.token, "/~/todo")
    for text in [
      "", "\n", "hello\n", "bind 1 9 0 1 0\n/~/to", "upload 7 0 5 0 1 0 0\nabcde", "mark 1 1\n",
      "bind 0 6 0 1 0\n/~/tod",
    ] {
      let client = try stage.connect(ann.token)
      client.send(text: text)
      stage.run(.seconds(20))
      #expect(client.closure != nil, "\(text.debugDescription)")
      let codes = client.take().compactMap(\.failureCode)
      #expect(codes.allSatisfy { (100...114).contains($0) && $0 != 104 }, "\(text.debugDescription): \(codes)")
    }
    other.upload(1, version: 2, bytes: SyncTests.bytes)
    stage.run()
    #expect(other.take().compactMap(\.download).last?.progress.upload.client.rawValue == 2)
  }
}
