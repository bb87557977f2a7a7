import SyncProtocol
import Testing

/// Malformed messages are refused with their position and the error for the peer.
struct MalformedTests {
  struct Row: CustomStringConvertible, Sendable {
    var text: String
    var code: Int
    var position: Int
    var description: String { text.replacing("\n", with: "⏎") }
  }

  static let rows: [Row] = [
    // text                                          code  position
    Row(text: "hello 1\n", code: 102, position: 0),
    Row(text: "\n", code: 102, position: 0),
    Row(text: "alloc 1\n", code: 102, position: 0),
    Row(text: "query 1 1 0\n", code: 102, position: 0),
    Row(text: "MARK 1 1\n", code: 102, position: 0),
    Row(text: "", code: 103, position: 0),
    Row(text: "unbind 1", code: 103, position: 0),
    Row(text: "unbind  1\n", code: 103, position: 7),
    Row(text: "unbind 1 \n", code: 103, position: 8),
    Row(text: "unbind 1\r\n", code: 103, position: 8),
    Row(text: "unbind +1\n", code: 103, position: 7),
    Row(text: "unbind -1\n", code: 103, position: 7),
    Row(text: "unbind 0\n", code: 103, position: 7),
    Row(text: "unbind\t1\n", code: 103, position: 6),
    Row(text: "unbind 9223372036854775808\n", code: 103, position: 7),
    Row(text: "unbind 99999999999999999999999\n", code: 103, position: 7),
    Row(text: "unbind 1\nx", code: 103, position: 9),
    Row(text: "mark 1\n", code: 103, position: 6),
    Row(text: "mark 1 2 3\n", code: 103, position: 8),
    Row(text: "ping 1 x\n", code: 103, position: 7),
    Row(text: "bind 1 0 0 0 0\n", code: 103, position: 15),
    Row(text: "bind 1 1025 0 0 0\n", code: 103, position: 7),
    Row(text: "bind 1 2 2049 0 0\n/a", code: 103, position: 9),
    Row(text: "bind 1 2 0 2 0\n/a", code: 103, position: 11),
    Row(text: "bind 1 9 0 1 0\n/a", code: 103, position: 15),
    Row(text: "bind 1 2 0 1 0\n/abc", code: 103, position: 17),
    Row(text: "json_error 212 2 1\n{}", code: 103, position: 19),
    Row(text: "json_error 212 3 1\n{x}", code: 103, position: 20),
    Row(text: "upload 1 0 10 0 2 0 0\nabc", code: 103, position: 22),
    Row(text: "upload 1 0 3 3 2 0 0\nabc", code: 103, position: 13),
    Row(text: "upload 1 0 3 0 2 0 0\nabc", code: 111, position: 21),
    Row(text: "upload 1 0 11 0 2 0 0\n2 0 5 0 3ab", code: 111, position: 31),
    Row(text: "upload 1 0 12 0 2 0 0\n2 0 5 0 3 ab", code: 112, position: 30),
    Row(text: "upload 1 0 26 0 2 0 0\n2 0 5 0 999999999999999 ab", code: 112, position: 30),
    Row(text: "upload 1 1 100 3 2 0 0\nabc", code: 110, position: 23),
    Row(text: "upload 1 1 200000000 3 2 0 0\nabc", code: 110, position: 29),
    Row(text: "upload 1 0 9000000000000000000 0 2 0 0\n", code: 103, position: 11),
  ]

  @Test("a malformed client message is refused with its code and position", arguments: rows)
  func refused(row: Row) {
    do {
      let message = try MessageDecoder().clientMessage(Array(row.text.utf8))
      Issue.record("read as \(message)")
    } catch {
      #expect(error.failure.code.wire.rawValue == row.code)
      #expect(error.position == row.position)
    }
  }

  @Test("a body must inflate to its exact size without trailing bytes")
  func inflationIsExact() throws {
    let body = Array("2 0 5 0 3000 ".utf8) + [UInt8](repeating: 9, count: 3_000)
    let message = ClientMessage.upload(
      UploadMessage(
        session: SessionIdent(1), progress: .init(client: .init(2), server: .zero), lockedServerVersion: .zero,
        entries: [
          .init(
            cursor: .init(client: .init(2), server: .zero), timestamp: .init(5), changeset: Array(body.dropFirst(13)))
        ]))
    let sound = String(decoding: message.encoded().prefix { $0 != 0x0A }, as: UTF8.self)
    let packed = Array(message.encoded().drop { $0 != 0x0A }.dropFirst())
    func read(size: Int, extra: [UInt8] = []) throws {
      let head = "upload 1 1 \(size) \(packed.count + extra.count) 2 0 0\n"
      _ = try MessageDecoder().clientMessage(Array(head.utf8) + packed + extra)
    }
    #expect(sound == "upload 1 1 3013 \(packed.count) 2 0 0")
    try read(size: 3_013)
    for (size, extra) in [(3_012, []), (3_014, []), (3_013, [0]), (250_000_000, [])] as [(Int, [UInt8])] {
      #expect(throws: MessageDecodingError.self) { try read(size: size, extra: extra) }
    }
  }

  @Test("a message above the limit is refused before it is read")
  func largeMessagesAreRefused() {
    var limits = MessageLimits()
    limits.messageBytes = 100
    let decoder = MessageDecoder(limits: limits)
    #expect(throws: MessageDecodingError(.limitExceeded("message"), at: 0)) {
      try decoder.clientMessage([UInt8](repeating: 0x61, count: 101))
    }
  }

  static let errors: [(String, Bool)] = [
    (
      "{\"tryAgain\":true,\"message\":\"m\",\"logURL\":\"\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false,\"action\":\"Transient\"}",
      true
    ),
    (
      "{\"message\":\"m\",\"logURL\":\"\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false,\"action\":\"Transient\"}",
      false
    ),
    (
      "{\"tryAgain\":1,\"message\":\"m\",\"logURL\":\"\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false,\"action\":\"Transient\"}",
      false
    ),
    (
      "{\"tryAgain\":true,\"message\":\"m\",\"logURL\":\"\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false}",
      false
    ),
    (
      "{\"tryAgain\":true,\"message\":\"m\",\"logURL\":\"\",\"shouldClientReset\":false,\"isRecoveryModeDisabled\":false,\"action\":\"Transient\",\"backoffIntervalSec\":5}",
      false
    ),
    ("[]", false), ("", false), ("{\"a\":}", false),
  ]

  @Test("a JSON error needs its six keys", arguments: errors)
  func jsonErrorKeys(body: String, isSound: Bool) {
    let bytes = Array("json_error 200 \(body.utf8.count) 1\n\(body)".utf8)
    #expect(((try? MessageDecoder().serverMessage(bytes)) != nil) == isSound)
  }

  @Test("LOG_MESSAGE exists from version 10, and an unknown level is refused")
  func logMessages() {
    let bytes = Array("log_message 0 18\n{\"level\":\"debug\"}\n".utf8.dropLast()) + [0x20]
    #expect((try? MessageDecoder(dialect: Dialect(.full, ProtocolVersion(10))).serverMessage(bytes)) != nil)
    #expect((try? MessageDecoder(dialect: Dialect(.full, ProtocolVersion(9))).serverMessage(bytes)) == nil)
    let unknown = Array("log_message 0 17\n{\"level\":\"noisy\"}".utf8)
    #expect((try? MessageDecoder().serverMessage(unknown)) == nil)
  }
}
