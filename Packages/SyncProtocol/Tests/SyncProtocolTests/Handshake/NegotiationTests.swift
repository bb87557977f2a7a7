@testable import SyncProtocol
import Testing

/// Choosing a version, and reading the choice.
struct NegotiationTests {
  static let stock = (2...14).reversed().map { "com.mongodb.realm-sync#\($0)" }.joined(separator: ", ")

  static let choices: [(String, String?)] = [
    // offered                                             chosen
    (stock, "com.mongodb.realm-sync#14"),
    ("com.mongodb.realm-sync#2-14", "com.mongodb.realm-sync#14"),
    ("com.mongodb.realm-sync#9", "com.mongodb.realm-sync#9"),
    ("com.mongodb.realm-sync#12-99", "com.mongodb.realm-sync#14"),
    ("chat, com.mongodb.realm-sync#8", "com.mongodb.realm-sync#8"),
    ("com.mongodb.realm-sync/2-10", "com.mongodb.realm-sync/10"),
    ("com.mongodb.realm-sync#2-7", nil),
    ("com.mongodb.realm-sync#15", nil),
    ("com.mongodb.realm-sync#x", nil),
    ("com.mongodb.realm-sync#", nil),
    ("com.mongodb.realm-sync#9-8", nil),
    ("com.mongodb.realm-sync#8-9-10", nil),
    ("com.mongodb.realm-sync#99999", nil),
    ("com.mongodb.realm-query-sync#14", nil),
    ("com.mongodb.realm-syncx#14", nil),
    ("chat", nil),
    ("", nil),
  ]

  @Test("the highest common version is chosen, in the spelling of the offer", arguments: choices)
  func choice(offered: String, chosen: String?) {
    #expect((try? Negotiation.choose(from: [offered]))?.token == chosen)
  }

  @Test("a refusal names both ranges")
  func refusal() {
    do {
      _ = try Negotiation.choose(from: ["com.mongodb.realm-sync#2-7"])
      Issue.record("accepted")
    } catch {
      #expect(error.message.contains("2-7"))
      #expect(error.message.contains("8-14"))
    }
  }

  @Test("flexible sync is chosen when the server serves it")
  func flexible() throws {
    let choice = try Negotiation.choose(from: ["com.mongodb.realm-query-sync#14"], flavours: [.full, .flexible])
    #expect(choice.dialect == Dialect(.flexible, ProtocolVersion(14)))
  }

  @Test("a client accepts exactly the versions that it offered")
  func acceptance() {
    #expect(Negotiation.accepted("com.mongodb.realm-sync#11", flavour: .full) == Dialect(.full, ProtocolVersion(11)))
    for token in ["com.mongodb.realm-sync#7", "com.mongodb.realm-sync/11", "com.mongodb.realm-query-sync#11", "x", nil]
    {
      #expect(Negotiation.accepted(token, flavour: .full) == nil)
    }
    #expect(SubprotocolOffer.tokens(for: .full).first == "com.mongodb.realm-sync#14")
    #expect(SubprotocolOffer.tokens(for: .full).count == 7)
  }

  @Test("upgrade requests have their paths and tokens")
  func paths() {
    #expect(UpgradePath.isAccepted("/realm-sync"))
    #expect(UpgradePath.isAccepted("/api/client/v2.0/app/x/realm-sync"))
    #expect(UpgradePath.isAccepted("/realm-sync/%2Falice%2Fnotes"))
    #expect(!UpgradePath.isAccepted("/realm"))
    #expect(UpgradePath.target(servicePath: "/realm-sync", accessToken: "T") == "/realm-sync?baas_at=T")
    #expect(UpgradePath.target(servicePath: "/realm-sync?a=1", accessToken: "T") == "/realm-sync?a=1&baas_at=T")
    #expect(UpgradePath.accessToken(inQuery: "a=1&baas_at=ab.cd") == "ab.cd")
    #expect(UpgradePath.accessToken(inQuery: "a=1") == nil)
  }
}
