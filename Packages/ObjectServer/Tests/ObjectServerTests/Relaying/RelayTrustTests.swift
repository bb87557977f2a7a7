import ChangesetOT
@testable import ObjectServer
import Permissions
import SyncProtocol
import TestKit
import Testing
import Transport
import TransportSimulated

@Suite("trust between nodes")
struct RelayTrustTests {
  @Test("a statement holds for the request line, the bearer and the key that it was made for")
  func statement() throws {
    let key = [UInt8](repeating: 7, count: 32)
    let made = PassedOn(node: "a", hops: 1, address: "[2001:db8::1]:443", isSecure: true)
    let target = "/realm-sync?x=1"
    let value = try made.headerValue(method: "GET", target: target, authorization: "Bearer t", key: key)
    func read(
      _ value: String, method: String = "GET", target: String = target, bearer: String = "Bearer t", key: [UInt8] = key
    ) throws -> PassedOn? {
      let headers: HTTPHeaders = ["Authorization": bearer, PassedOn.header: value]
      return try PassedOn(of: HTTPRequest(method: method, target: target, headers: headers), key: key)
    }
    #expect(try read(value) == made)
    #expect(throws: PassedOn.Forged.self) { try read(value, method: "POST") }
    #expect(throws: PassedOn.Forged.self) { try read(value, target: "/realm-sync?x=2") }
    #expect(throws: PassedOn.Forged.self) { try read(value, bearer: "Bearer u") }
    #expect(throws: PassedOn.Forged.self) { try read(value, key: [UInt8](repeating: 8, count: 32)) }
    #expect(throws: PassedOn.Forged.self) { try read("2" + value.dropFirst()) }
    #expect(try PassedOn(of: HTTPRequest(method: "GET", target: target), key: key) == nil)
  }

  @Test("no bytes in the header are taken for a statement, and none trap", arguments: Seeds.some(20))
  func damaged(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let key = [UInt8](repeating: 7, count: 32)
    let made = PassedOn(node: "a", hops: 1, address: "10.0.0.1:1", isSecure: false)
    let whole = Array(try made.headerValue(method: "GET", target: "/", authorization: "", key: key).utf8)
    for _ in 0..<50 {
      var bytes = whole
      let index = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 33...126, using: &random)
      case 1: bytes.removeSubrange(index...)
      default: bytes.insert(UInt8(ascii: ";"), at: index)
      }
      guard bytes != whole, hexTextIsOther(bytes, whole) else { continue }
      let headers: HTTPHeaders = [PassedOn.header: String(decoding: bytes, as: UTF8.self)]
      #expect(throws: PassedOn.Forged.self, "SEED=\(seed)") {
        try PassedOn(of: HTTPRequest(method: "GET", target: "/", headers: headers), key: key)
      }
    }
  }

  /// Whether two headers differ in more than the case of hexadecimal digits.
  private func hexTextIsOther(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    String(decoding: left, as: UTF8.self).lowercased() != String(decoding: right, as: UTF8.self).lowercased()
  }

  @Test("the WebSocket of a client that claims to be passed on is that of a client, also with a node's statement")
  func claimed() throws {
    let cluster = try ClusterStage(realmsAt: .node("a"))
    let stage = cluster.stage
    let ann = try stage.user("ann")
    for key in [[1, 2, 3], [UInt8](repeating: 7, count: 32)] as [[UInt8]] {
      let claim = try PassedOn(node: "b", hops: 1, address: "10.9.9.9:1", isSecure: true).headerValue(
        method: "GET", target: "/realm-sync?baas_at=\(ann.token)", authorization: "", key: key)
      let (phone, _) = try stage.session(ann.token, "/~/todo", headers: [PassedOn.header: claim])
      #expect(stage.server.hub.connections.values.map(\.clientAddress) == ["phone"])
      phone.connection?.abort()
      stage.run()
    }
    let alone = try Stage()
    let ben = try alone.user("ben")
    let (phone, _) = try alone.session(ben.token, "/~/todo", headers: [PassedOn.header: "1;0;61;62;00"])
    #expect(phone.closure == nil)
  }

  @Test("the node that answers knows the client's address, and never takes it for a process of its machine")
  func address() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let member = try #require(stage.server.hub.member)
    var request = HTTPRequest(method: "GET", target: "/realm-sync", remoteAddress: "127.0.0.1:5000")
    for field in try member.addedHeaders(ClusterMember.Origin(request: request)).fields {
      request.headers[field.name] = field.value
    }
    request.remoteAddress = "b:1"
    let origin = try member.origin(of: request)
    #expect(origin.request.remoteAddress == "127.0.0.1:5000")
    #expect(origin.hops == 1)
    #expect(!origin.request.beginsHere(behindProxy: false))
    let ann = try stage.user("ann")
    _ = try stage.session(ann.token, "/~/todo")
    let passed = try #require(try cluster.server("b").hub.connections.values.first)
    #expect(passed.clientAddress == "phone")
    let there = try #require(passed.relay?.origin)
    #expect(there.hops == 1)
    #expect(!there.request.beginsHere(behindProxy: false))
  }

  @Test("a session whose grant is withdrawn at the owner ends with the owner's word")
  func withdrawn() throws {
    let cluster = try ClusterStage()
    let stage = cluster.stage
    let (ann, ben) = (try stage.user("ann"), try stage.user("ben"))
    let (owner, _) = try stage.session(ann.token, "/~/todo")
    let path = try RealmPath("/ann/todo")
    try stage.directory.setGrant(Grant(path: path, grantee: .user(ben.id), level: .write))
    let (guest, _) = try stage.session(ben.token, "/ann/todo", from: "guest")
    try stage.directory.setGrant(Grant(path: path, grantee: .user(ben.id), level: .none))
    try cluster.server("b").hub.grantsChanged([path])
    stage.run()
    #expect(guest.take().compactMap(\.failureCode) == [206])
    #expect(owner.closure == nil)
  }

  @Test("a user who is logged out is cut off by both nodes, and a client that goes is gone at both")
  func cutOff() throws {
    let cluster = try ClusterStage { $0.loginReviewInterval = .milliseconds(500) }
    let stage = cluster.stage
    let (ann, ben) = (try stage.user("ann"), try stage.user("ben"))
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    let (tablet, _) = try stage.session(ben.token, "/~/todo", from: "tablet")
    try stage.directory.endLogin("login-ann")
    stage.run(.seconds(2))
    #expect(phone.closeCode == 4001)
    #expect(tablet.closure == nil)
    #expect(try cluster.server("b").hub.connections.count == 1)
    tablet.connection?.abort()
    stage.run(.seconds(1))
    #expect(try cluster.server("b").hub.connections.isEmpty)
  }
}
