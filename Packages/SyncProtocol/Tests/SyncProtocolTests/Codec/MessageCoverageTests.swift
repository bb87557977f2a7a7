import SyncProtocol
import SyncProtocolTestSupport
import Testing

/// Every message is drawn at random and has its exact bytes in a table, so the laws of the codec hold for a new one too.
struct MessageCoverageTests {
  private enum ClientKind: CaseIterable {
    case bind, ident, upload, mark, unbind, ping, jsonError, query, testCommand
  }

  private enum ServerKind: CaseIterable {
    case ident, download, mark, unbound, error, jsonError, queryError, pong, log, testCommand
  }

  private static func kind(_ message: ClientMessage) -> ClientKind {
    switch message {
    case .bind: .bind
    case .ident: .ident
    case .upload: .upload
    case .mark: .mark
    case .unbind: .unbind
    case .ping: .ping
    case .jsonError: .jsonError
    case .query: .query
    case .testCommand: .testCommand
    }
  }

  private static func kind(_ message: ServerMessage) -> ServerKind {
    switch message {
    case .ident: .ident
    case .download: .download
    case .mark: .mark
    case .unbound: .unbound
    case .error: .error
    case .jsonError: .jsonError
    case .queryError: .queryError
    case .pong: .pong
    case .log: .log
    case .testCommand: .testCommand
    }
  }

  @Test("every client message is drawn at random")
  func clientMessages() {
    var missing = Set(ClientKind.allCases)
    for dialect in RoundTripTests.dialects {
      var messages = RandomMessages(seed: 1, dialect: dialect)
      for _ in 0..<200 { missing.remove(Self.kind(messages.clientMessage())) }
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("every server message is drawn at random")
  func serverMessages() {
    var missing = Set(ServerKind.allCases)
    for dialect in RoundTripTests.dialects {
      var messages = RandomMessages(seed: 1, dialect: dialect)
      for _ in 0..<200 { missing.remove(Self.kind(messages.serverMessage())) }
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("every client message has its exact bytes in a table")
  func clientRows() {
    let missing = Set(ClientKind.allCases).subtracting(GoldenTests.clientRows.map { Self.kind($0.message) })
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("every server message has its exact bytes in a table")
  func serverRows() {
    let missing = Set(ServerKind.allCases).subtracting(GoldenTests.serverRows.map { Self.kind($0.message) })
    #expect(missing.isEmpty, "\(missing)")
  }
}
