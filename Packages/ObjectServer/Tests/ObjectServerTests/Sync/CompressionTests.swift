@testable import ObjectServer
import Testing
import Transport

@Suite("compression of downloads")
struct CompressionTests {
  @Test("downloads are compressed for other machines, also behind a proxy on this one, and not for this machine")
  func places() throws {
    let stage = try Stage()
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/todo")
    let readers = [
      try stage.session(ann.token, "/~/todo", from: "tablet").0,
      try stage.session(ann.token, "/~/todo", from: "127.0.0.1", headers: ["X-Forwarded-For": "10.1.1.1"]).0,
      try stage.session(ann.token, "/~/todo", from: "127.0.0.1").0,
    ]
    let before = readers.map(\.receivedBytes)
    author.upload(1, version: 2, bytes: [UInt8](repeating: 1, count: 20_000))
    stage.run(.seconds(1))
    let sizes = zip(readers, before).map { $0.receivedBytes - $1 }
    #expect(sizes[0] < 2_000, "\(sizes)")
    #expect(sizes[1] < 2_000, "\(sizes)")
    #expect(sizes[2] > 20_000, "\(sizes)")
    for reader in readers {
      #expect(reader.take().compactMap(\.download).last?.entries.last?.changeset.count == 20_000)
    }
  }

  @Test("behind a proxy that says nothing, downloads are compressed for all, and nobody is of this machine")
  func proxies() throws {
    let stage = try Stage {
      $0.isBehindProxy = true
      $0.metricsAccess = .local
    }
    let ann = try stage.user("ann")
    let (author, _) = try stage.session(ann.token, "/~/todo")
    let (reader, _) = try stage.session(ann.token, "/~/todo", from: "127.0.0.1")
    let before = reader.receivedBytes
    author.upload(1, version: 2, bytes: [UInt8](repeating: 1, count: 20_000))
    stage.run(.seconds(1))
    #expect(reader.take().compactMap(\.download).last?.entries.last?.changeset.count == 20_000)
    #expect(reader.receivedBytes - before < 2_000)
    let request = HTTPRequest(method: "GET", target: "/metrics", headers: [:], remoteAddress: "127.0.0.1:5000")
    #expect(request.beginsHere(behindProxy: false))
    #expect(!request.beginsHere(behindProxy: true))
  }

  @Test("a request begins here when its peer is this machine and no proxy says that it forwards")
  func beginnings() {
    func beginsHere(_ address: String, _ headers: HTTPHeaders = [:]) -> Bool {
      HTTPRequest(method: "GET", target: "/", headers: headers, remoteAddress: address).beginsHere(behindProxy: false)
    }
    for address in ["127.0.0.1:5000", "[::1]:5000", "[::ffff:127.0.0.1]:5000"] { #expect(beginsHere(address)) }
    for address in ["10.0.0.1:5000", "[2001:db8::1]:5000", ""] { #expect(!beginsHere(address)) }
    for name in ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded", "Via"] {
      #expect(!beginsHere("127.0.0.1:5000", [name: "x"]), "\(name)")
    }
  }
}
