import ChangesetOT
import SyncProtocol
import TestKit

/// Random messages, every field within its legal range.
public struct RandomMessages {
  /// The source of randomness.
  public var random: SeededGenerator
  /// The dialect of the messages.
  public var dialect: Dialect

  /// A generator.
  public init(seed: UInt64, dialect: Dialect = Dialect()) {
    random = SeededGenerator(seed: seed)
    self.dialect = dialect
  }

  /// Small numbers mostly, sometimes the largest legal one.
  public mutating func number() -> UInt64 {
    random.pick([
      (6, UInt64.random(in: 0..<20, using: &random)), (3, UInt64.random(in: 0...UInt64(Int64.max), using: &random)),
      (1, UInt64(Int64.max)),
    ])
  }

  mutating func session() -> SessionIdent { SessionIdent(max(1, number())) }
  mutating func salt() -> Int64 { Int64(number()) }
  mutating func flag() -> Bool { Bool.random(using: &random) }

  mutating func text() -> String {
    let parts = ["a", "é", "\n", "\"", "\\", " ", "0", "𝄞", "\u{01}", "/x"]
    return (0..<Int.random(in: 0..<12, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
  }

  /// Bytes of a changeset: short mostly, sometimes long and even, which compresses, or long and noisy, which does not.
  mutating func changeset() -> [UInt8] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: [UInt8](repeating: 7, count: 3_000)
    case 1: (0..<3_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    default: (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
  }

  mutating func query() -> QuerySet { QuerySet(version: QueryVersion(number()), json: text()) }

  /// Any message of a client.
  public mutating func clientMessage() -> ClientMessage {
    let isFlexible = dialect.flavour == .flexible
    switch Int.random(in: 0..<(isFlexible ? 9 : 8), using: &random) {
    case 0:
      return .bind(
        BindMessage(
          session: session(), path: "/a" + text(), token: text(), needsFileIdent: flag(), isSubserver: flag()))
    case 1:
      return .ident(
        ClientIdentMessage(
          session: session(), file: SaltedFileIdent(ident: FileIdent(number()), salt: salt()),
          download: DownloadCursor(server: ServerVersion(number()), client: ClientVersion(number())),
          latestServerVersion: SaltedServerVersion(version: ServerVersion(number()), salt: salt()),
          query: isFlexible ? query() : nil))
    case 2:
      let count = Int.random(in: 0..<4, using: &random)
      // Of a client file the versions rise, of a history they do not fall: decoders look at that.
      let entries = Set((0..<count).map { _ in max(1, number()) }).sorted().map { client in
        UploadEntry(
          cursor: UploadCursor(client: ClientVersion(client), server: ServerVersion(number())),
          timestamp: OriginTimestamp(number()), origin: FileIdent(number()), changeset: changeset())
      }
      return .upload(
        UploadMessage(
          session: session(), progress: UploadCursor(client: ClientVersion(number()), server: ServerVersion(number())),
          lockedServerVersion: ServerVersion(number()), entries: entries))
    case 3: return .mark(MarkMessage(session: session(), request: RequestIdent(number())))
    case 4: return .unbind(UnbindMessage(session: session()))
    case 5: return .ping(PingMessage(timestamp: number(), roundTrip: number()))
    case 6:
      return .jsonError(ClientErrorMessage(code: ProtocolErrorCode(212), session: session(), message: text()))
    case 7: return .testCommand(TestCommandMessage(session: session(), request: RequestIdent(number()), text: text()))
    default: return .query(QueryChangeMessage(session: session(), query: query()))
    }
  }

  /// Any message of a server.
  public mutating func serverMessage() -> ServerMessage {
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      return .ident(
        ServerIdentMessage(session: session(), file: SaltedFileIdent(ident: FileIdent(number()), salt: salt())))
    case 1, 2: return .download(download())
    case 3: return .mark(MarkMessage(session: session(), request: RequestIdent(number())))
    case 4: return .unbound(UnboundMessage(session: session()))
    case 5:
      return .error(
        PlainErrorMessage(code: ProtocolErrorCode(101), tryAgain: flag(), session: .connection, message: text()))
    case 6: return .jsonError(jsonError())
    case 7: return .pong(PongMessage(timestamp: number()))
    case 8 where dialect.version.hasLogMessages:
      return .log(LogMessage(session: .connection, level: flag() ? nil : .warn, message: text(), correlation: "c"))
    case 9 where dialect.flavour == .flexible:
      return .queryError(
        QueryErrorMessage(code: .badQuery, session: session(), query: QueryVersion(number()), message: text()))
    default: return .testCommand(TestCommandMessage(session: session(), request: RequestIdent(number()), text: text()))
    }
  }

  private mutating func jsonError() -> JSONErrorMessage {
    let code =
      ProtocolErrorCode.known.filter { $0.level == .session }.randomElement(using: &random) ?? .otherSessionError
    var details = ErrorDetails(message: text(), action: flag() ? .clientReset : .other("X" + text()), tryAgain: flag())
    if flag() { details.backoff = BackoffAdvice(interval: number(), maximum: number(), multiplier: number()) }
    if code == .migratedToFlexible { details.partitionQuery = "p = 1" }
    if code == .schemaVersionChanged { details.previousSchemaVersion = number() }
    if code == .compensatingWrite {
      details.compensation = CompensatingWrite(
        serverVersion: ServerVersion(number()), rejectedClientVersion: ClientVersion(number()),
        rejections: [.init(reason: text(), className: "Item", primaryKey: "AA==")])
    }
    return JSONErrorMessage(code: code, session: session(), details: details)
  }

  private mutating func download() -> DownloadMessage {
    let isFlexible = dialect.flavour == .flexible
    let count = Int.random(in: 0..<4, using: &random)
    let entries = (0..<count).map { _ in number() }.sorted().map { server in
      DownloadEntry(
        cursor: DownloadCursor(server: ServerVersion(server), client: ClientVersion(number())),
        timestamp: OriginTimestamp(number()), origin: FileIdent(number()),
        originalSize: Int.random(in: 0..<1_000, using: &random), changeset: changeset())
    }
    let progress = SyncProgress(
      latestServerVersion: SaltedServerVersion(version: ServerVersion(number()), salt: salt()),
      download: DownloadCursor(server: ServerVersion(number()), client: ClientVersion(number())),
      upload: UploadCursor(client: ClientVersion(number()), server: ServerVersion(number())))
    let isFraction = isFlexible && dialect.version.hasFractionalProgress
    return DownloadMessage(
      session: session(), progress: progress,
      remaining: isFraction ? .fraction(Double(Int.random(in: 0...64, using: &random)) / 64) : .bytes(number()),
      batch: isFlexible ? DownloadBatch(query: QueryVersion(number()), state: .moreToCome) : nil, entries: entries)
  }
}
