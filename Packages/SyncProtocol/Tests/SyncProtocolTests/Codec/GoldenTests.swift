import ChangesetOT
import SyncProtocol
import Testing

/// The bytes of each message, frozen. A change here breaks every peer that exists.
struct GoldenTests {
  static let session = SessionIdent(1)
  static let full = Dialect(.full, ProtocolVersion(14))
  static let flexible = Dialect(.flexible, ProtocolVersion(14))

  struct Row: CustomStringConvertible, Sendable {
    var dialect = GoldenTests.full
    var message: ClientMessage
    var text: String
    var description: String { text }
  }

  static let clientRows: [Row] = [
    Row(
      message: .bind(BindMessage(session: session, path: "/notes", needsFileIdent: true)),
      text: "bind 1 6 0 1 0\n/notes"),
    Row(
      message: .bind(BindMessage(session: session, path: "/n", token: "t:s", needsFileIdent: false, isSubserver: true)),
      text: "bind 1 2 3 0 1\n/nt:s"),
    Row(
      dialect: flexible,
      message: .bind(
        BindMessage(
          session: session, path: FlexibleBinding(sessionReason: 0, schemaVersion: 0).path, needsFileIdent: true)),
      text: "bind 1 37 0 1 0\n{\"schemaVersion\":0,\"sessionReason\":0}"),
    Row(
      message: .ident(
        ClientIdentMessage(
          session: session, file: SaltedFileIdent(ident: FileIdent(2), salt: 8_102_934_871_203_948_712),
          download: DownloadCursor(server: ServerVersion(2), client: ClientVersion(3)),
          latestServerVersion: SaltedServerVersion(version: ServerVersion(2), salt: 9))),
      text: "ident 1 2 8102934871203948712 2 3 2 9\n"),
    Row(
      dialect: flexible,
      message: .ident(
        ClientIdentMessage(session: session, file: SaltedFileIdent(ident: FileIdent(2), salt: 7), query: QuerySet())),
      text: "ident 1 2 7 0 0 0 0 0 2\n{}"),
    Row(
      message: .upload(
        UploadMessage(
          session: session, progress: UploadCursor(client: ClientVersion(3), server: .zero), lockedServerVersion: .zero,
          entries: [
            UploadEntry(
              cursor: UploadCursor(client: ClientVersion(2), server: .zero),
              timestamp: OriginTimestamp(361_234_567_890),
              changeset: Array("abc".utf8))
          ])),
      text: "upload 1 0 24 0 3 0 0\n2 0 361234567890 0 3 abc"),
    Row(
      message: .upload(
        UploadMessage(
          session: session, progress: UploadCursor(client: ClientVersion(5), server: ServerVersion(1)),
          lockedServerVersion: ServerVersion(1))),
      text: "upload 1 0 0 0 5 1 1\n"),
    Row(message: .mark(MarkMessage(session: session, request: RequestIdent(2))), text: "mark 1 2\n"),
    Row(message: .unbind(UnbindMessage(session: session)), text: "unbind 1\n"),
    Row(message: .ping(PingMessage(timestamp: 51234, roundTrip: 3)), text: "ping 51234 3\n"),
    Row(
      message: .jsonError(ClientErrorMessage(code: .badChangeset, session: session, message: "no")),
      text: "json_error 212 16 1\n{\"message\":\"no\"}"),
    Row(
      dialect: flexible,
      message: .query(
        QueryChangeMessage(
          session: session, query: QuerySet(version: QueryVersion(1), json: "{\"Person\":\"(age > 3)\"}"))),
      text: "query 1 1 22\n{\"Person\":\"(age > 3)\"}"),
    Row(
      message: .testCommand(TestCommandMessage(session: session, request: RequestIdent(4), text: "hi")),
      text: "test_command 1 4 2\nhi"),
  ]

  @Test("client messages have their frozen bytes", arguments: clientRows)
  func clientBytes(row: Row) throws {
    #expect(String(decoding: row.message.encoded(for: row.dialect), as: UTF8.self) == row.text)
    #expect(try MessageDecoder(dialect: row.dialect).clientMessage(Array(row.text.utf8)) == row.message)
  }

  struct ServerRow: CustomStringConvertible, Sendable {
    var dialect = GoldenTests.full
    var message: ServerMessage
    var text: String
    var description: String { text }
  }

  static let progress = SyncProgress(
    latestServerVersion: SaltedServerVersion(version: ServerVersion(4), salt: 99),
    download: DownloadCursor(server: ServerVersion(3), client: ClientVersion(2)),
    upload: UploadCursor(client: ClientVersion(5), server: ServerVersion(1)))
  static let entry = DownloadEntry(
    cursor: DownloadCursor(server: ServerVersion(3), client: ClientVersion(2)), timestamp: OriginTimestamp(10),
    origin: FileIdent(3), changeset: Array("xy".utf8))

  /// A refused IDENT of a file with an undone write that was not acknowledged.
  static var untold: ErrorDetails {
    var details = ErrorDetails(message: "m", action: .clientReset)
    details.integratedClientVersion = ClientVersion(6)
    details.untold = [
      CompensatingWrite(
        serverVersion: ServerVersion(4), rejectedClientVersion: ClientVersion(5),
        rejections: [.init(reason: "r", className: "T", primaryKey: "Ag==")])
    ]
    return details
  }

  static let serverRows: [ServerRow] = [
    ServerRow(
      message: .ident(ServerIdentMessage(session: session, file: SaltedFileIdent(ident: FileIdent(2), salt: 8))),
      text: "ident 1 2 8\n"),
    ServerRow(
      message: .download(
        DownloadMessage(session: session, progress: progress, remaining: .bytes(77), entries: [entry])),
      text: "download 1 3 2 4 99 5 1 77 0 15 0\n3 2 10 3 2 2 xy"),
    ServerRow(
      dialect: flexible,
      message: .download(
        DownloadMessage(
          session: session, progress: progress, remaining: .fraction(0.5),
          batch: DownloadBatch(query: QueryVersion(1), state: .last), entries: [entry])),
      text: "download 1 3 2 4 99 5 1 1 1 0.5 0 15 0\n3 2 10 3 2 2 xy"),
    ServerRow(
      dialect: Dialect(.flexible, ProtocolVersion(11)),
      message: .download(
        DownloadMessage(
          session: session, progress: progress, remaining: .bytes(6),
          batch: DownloadBatch(query: QueryVersion(1), state: .steady))),
      text: "download 1 3 2 4 99 5 1 1 2 6 0 0 0\n"),
    ServerRow(message: .mark(MarkMessage(session: session, request: RequestIdent(2))), text: "mark 1 2\n"),
    ServerRow(message: .unbound(UnboundMessage(session: session)), text: "unbound 1\n"),
    ServerRow(
      message: .error(
        PlainErrorMessage(code: ProtocolErrorCode(103), tryAgain: false, session: .connection, message: "bad")),
      text: "error 103 3 0 0\nbad"),
    ServerRow(
      message: .jsonError(
        JSONErrorMessage(
          code: .badServerVersion, session: session, details: ErrorDetails(message: "m", action: .clientReset))),
      text:
        "json_error 209 123 1\n{\"action\":\"ClientReset\",\"isRecoveryModeDisabled\":false,\"logURL\":\"\",\"message\":\"m\",\"shouldClientReset\":true,\"tryAgain\":false}"
    ),
    ServerRow(
      message: .jsonError(
        JSONErrorMessage(code: .badServerVersion, session: session, details: untold)),
      text:
        "json_error 209 302 1\n{\"action\":\"ClientReset\",\"integratedClientVersion\":6,\"isRecoveryModeDisabled\":false,\"logURL\":\"\",\"message\":\"m\",\"shouldClientReset\":true,\"tryAgain\":false,\"untoldCompensatingWrites\":[{\"compensatingWriteServerVersion\":4,\"rejectedClientVersion\":5,\"rejectedUpdates\":[{\"pk\":\"Ag==\",\"reason\":\"r\",\"table\":\"T\"}]}]}"
    ),
    ServerRow(
      dialect: flexible,
      message: .queryError(
        QueryErrorMessage(code: .badQuery, session: session, query: QueryVersion(3), message: "why")),
      text: "query_error 226 3 1 3\nwhy"),
    ServerRow(message: .pong(PongMessage(timestamp: 51234)), text: "pong 51234\n"),
    ServerRow(
      message: .log(LogMessage(session: .connection, level: .info, message: "hi", correlation: "c1")),
      text: "log_message 0 40\n{\"co_id\":\"c1\",\"level\":\"info\",\"msg\":\"hi\"}"),
    ServerRow(
      message: .testCommand(TestCommandMessage(session: session, request: RequestIdent(4), text: "")),
      text: "test_command 1 4 0\n"),
  ]

  @Test("server messages have their frozen bytes", arguments: serverRows)
  func serverBytes(row: ServerRow) throws {
    #expect(String(decoding: row.message.encoded(for: row.dialect), as: UTF8.self) == row.text)
    #expect(try MessageDecoder(dialect: row.dialect).serverMessage(Array(row.text.utf8)) == row.message)
  }

  @Test("numbers of every length are written in full, and read again")
  func numbersOfEveryLength() throws {
    var values: [UInt64] = [0, UInt64(Int64.max)]
    var power: UInt64 = 1
    for _ in 0..<19 {
      values += [power, power * 2 - 1, power - 1]
      power &*= 10
    }
    for value in values where value <= UInt64(Int64.max) {
      let entry = UploadEntry(
        cursor: UploadCursor(client: ClientVersion(2), server: .zero), timestamp: OriginTimestamp(value), changeset: [])
      let message = ClientMessage.upload(
        UploadMessage(
          session: Self.session, progress: UploadCursor(client: ClientVersion(2), server: .zero),
          lockedServerVersion: .zero, entries: [entry]))
      let text = "2 0 \(value) 0 0 "
      #expect(String(decoding: message.encoded(), as: UTF8.self) == "upload 1 0 \(text.count) 0 2 0 0\n\(text)")
      #expect(try MessageDecoder().clientMessage(message.encoded()) == message)
    }
    for tooLarge in ["9223372036854775808", "18446744073709551616", "100000000000000000000"] {
      #expect(throws: MessageDecodingError.self) {
        try MessageDecoder().clientMessage(Array("ping \(tooLarge) 0\n".utf8))
      }
    }
  }

  @Test("bodies are compressed only above 1024 bytes and only when that is smaller")
  func compressionIsEarned() throws {
    func upload(_ changeset: [UInt8]) -> ClientMessage {
      .upload(
        UploadMessage(
          session: Self.session, progress: UploadCursor(client: ClientVersion(2), server: .zero),
          lockedServerVersion: .zero,
          entries: [
            UploadEntry(
              cursor: UploadCursor(client: ClientVersion(2), server: .zero), timestamp: OriginTimestamp(1),
              changeset: changeset)
          ]))
    }
    func flag(_ message: ClientMessage) -> String {
      let head = String(decoding: message.encoded().prefix { $0 != 0x0A }, as: UTF8.self)
      return String(head.split(separator: " ")[2])
    }
    // The head of the entry, "2 0 1 0 1012 ", has 13 bytes.
    #expect(flag(upload([UInt8](repeating: 1, count: 1024 - 13))) == "0")
    #expect(flag(upload([UInt8](repeating: 1, count: 1025 - 13))) == "1")
    var noise = RandomNoise(seed: 5)
    #expect(flag(upload(noise.bytes(5_000))) == "0")
    let even = upload([UInt8](repeating: 1, count: 100_000))
    #expect(try MessageDecoder().clientMessage(even.encoded()) == even)
    #expect(even.encoded().count < 1_000)
  }
}

/// Bytes that do not compress.
struct RandomNoise {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }
}
