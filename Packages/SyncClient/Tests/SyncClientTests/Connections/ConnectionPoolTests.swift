@testable import SyncClient
import Testing
import TransportSimulated

/// Connections of a client: shared by sessions, made and ended as needed.
struct ConnectionPoolTests {
  @Test("sessions of one user share a connection, those of two users do not")
  func multiplexing() {
    let stage = Stage()
    let client = stage.client("one")
    let files = (0..<3).map { _ in PlainFile() }
    _ = stage.open(files[0], by: client, path: "/ann/a")
    _ = stage.open(files[1], by: client, path: "/ann/b")
    stage.run()
    #expect(stage.server.connections == 1)
    _ = stage.open(files[2], by: client, path: "/ben/a", user: "ben")
    stage.run()
    #expect(stage.server.connections == 2)
    #expect(stage.open(files[0], by: client, path: "/ann/a") === client.session(for: stage.target("/ann/a")))
  }

  @Test("a connection ends some time after its last session, and the next session makes another")
  func unusedConnections() {
    let stage = Stage()
    let client = stage.client("one")
    let files = (0..<3).map { _ in PlainFile() }
    let sessions = files.enumerated().map { stage.open($1, by: client, user: "user \($0)") }
    stage.run()
    #expect(client.pool.count == 3)
    #expect(stage.server.connections == 3)
    sessions[0].close()
    sessions[1].suspend()
    stage.run()
    #expect(client.pool.count == 3, "a session may come back soon")
    stage.run(.seconds(60))
    #expect(client.pool.count == 1)
    #expect(sessions[2].connectionState == .connected)
    files[1].commit([1])
    sessions[1].resume()
    stage.run()
    #expect(client.pool.count == 2)
    #expect(stage.server.connections == 4)
    #expect(stage.server.realm("/ann/todo").history.count == 1)
    // A session that never had a socket leaves nothing either.
    client.shutDown()
    stage.network.partition(["one"], from: ["server"])
    stage.run(.seconds(60))
    let last = stage.open(PlainFile(), by: client, user: "late")
    stage.run()
    #expect(client.pool.count == 1)
    last.close()
    stage.run()
    #expect(client.pool.count == 0)
  }

  @Test("reconnect ends a handshake without an answer and begins another at once")
  func hangingHandshake() {
    let stage = Stage()
    stage.network.partition(["one"], from: ["server"])
    let session = stage.open(PlainFile(), by: stage.client("one"))
    stage.run(.seconds(11))
    #expect(session.connectionState == .connecting)
    stage.server.isSilent = true
    stage.network.heal()
    stage.run(.seconds(30))
    #expect(session.connectionState == .connecting)
    stage.server.isSilent = false
    session.reconnect()
    stage.run(.seconds(2))
    #expect(session.connectionState == .connected)
  }

  @Test("uploads are compressed for servers on other machines, and not for a server on this machine")
  func compression() {
    for (device, host, isCompressed) in [("one", "server", true), ("server", "localhost", false)] {
      let stage = Stage()
      let file = PlainFile()
      file.commit([UInt8](repeating: 1, count: 20_000))
      var target = stage.target()
      target.server.host = host
      let tokens = FixedTokenSource("token", scheduler: stage.network.loop)
      let session = stage.client(device).open(file, at: target, tokens: tokens)
      stage.run()
      #expect(session.status.pendingUploads == 0)
      #expect(stage.server.realm("/ann/todo").history.count == 1)
      #expect((stage.server.largestMessage < 2_000) == isCompressed, "\(host): \(stage.server.largestMessage)")
    }
  }

  @Test("an expired token is renewed, and a login that has ended stops the session")
  func tokens() {
    let stage = Stage()
    stage.server.tokens = ["new"]
    let client = stage.client("one")
    let file = PlainFile()
    let source = RenewingTokens(stage.network.loop, renewed: "new")
    let session = client.open(file, at: stage.target(), tokens: source)
    stage.run(.seconds(3))
    #expect(session.connectionState == .connected)
    #expect(source.renewals.value == 1)

    let lapsed = RenewingTokens(stage.network.loop, renewed: nil)
    let ended = client.open(PlainFile(), at: stage.target("/x/y", user: "x"), tokens: lapsed)
    stage.run(.seconds(3))
    #expect(ended.state == .invalid)
    #expect(ended.status.lastError?.code == .underlyingAuthError)
    // The user logs in again.
    lapsed.current.value = "new"
    ended.resume()
    stage.run(.seconds(3))
    #expect(ended.connectionState == .connected)
    #expect(ended.state == .active)
  }
}
