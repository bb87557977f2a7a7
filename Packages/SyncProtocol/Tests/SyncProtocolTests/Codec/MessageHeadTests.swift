import SyncProtocol
import SyncProtocolTestSupport
import TestKit
import Testing

@Suite("heads of messages")
struct MessageHeadTests {
  @Test(
    "the head of a client's message has its session, and says whether it begins or ends it", arguments: Seeds.some(20))
  func ofClient(seed: UInt64) {
    for dialect in RoundTripTests.dialects {
      var messages = RandomMessages(seed: seed, dialect: dialect)
      for _ in 0..<50 {
        let message = messages.clientMessage()
        let head = MessageHead(ofClient: message.encoded(for: dialect))
        let kind: MessageHead.Kind =
          switch message {
          case .bind: .bind
          case .unbind: .unbind
          case .ident, .upload, .mark, .ping, .jsonError, .query, .testCommand: .other
          }
        #expect(head?.kind == kind, "SEED=\(seed) \(message)")
        if case .testCommand = message { continue }
        #expect(head?.session == message.session ?? .connection, "SEED=\(seed) \(message)")
      }
    }
  }

  @Test("the head of a server's message has its session and the code of a failure", arguments: Seeds.some(20))
  func ofServer(seed: UInt64) {
    for dialect in RoundTripTests.dialects {
      var messages = RandomMessages(seed: seed, dialect: dialect)
      for _ in 0..<50 {
        let message = messages.serverMessage()
        let expected: MessageHead =
          switch message {
          case .ident(let it): MessageHead(kind: .other, session: it.session)
          case .download(let it): MessageHead(kind: .other, session: it.session)
          case .mark(let it): MessageHead(kind: .other, session: it.session)
          case .unbound(let it): MessageHead(kind: .unbound, session: it.session)
          case .error(let it): MessageHead(kind: .failure(it.code), session: it.session)
          case .jsonError(let it): MessageHead(kind: .failure(it.code), session: it.session)
          case .queryError(let it): MessageHead(kind: .other, session: it.session)
          case .log(let it): MessageHead(kind: .other, session: it.session)
          case .pong, .testCommand: MessageHead(kind: .other, session: .connection)
          }
        #expect(MessageHead(ofServer: message.encoded(for: dialect)) == expected, "SEED=\(seed) \(message)")
      }
    }
  }

  @Test("bytes without a head are none", arguments: ["", "upload", "upload x", "nothing 1\n", "bind 0 1\n", "\u{0}"])
  func malformed(text: String) {
    #expect(MessageHead(ofClient: Array(text.utf8)) == nil)
    #expect(MessageHead(ofServer: Array(text.utf8)) == nil)
  }
}
