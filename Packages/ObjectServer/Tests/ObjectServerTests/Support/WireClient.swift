import ChangesetOT
import Foundation
import SyncProtocol
import Testing
import Transport

/// A lock with a scoped form.
final class NSLockBox: @unchecked Sendable {
  private let lock = NSLock()
  func locked<Value>(_ body: () -> Value) -> Value { lock.withLock(body) }
}

/// A client that speaks raw messages and keeps what it hears.
// @unchecked Sendable: touched on the simulated loop, and by the test while the loop rests.
final class WireClient: WebSocketHandler, @unchecked Sendable {
  var connection: (any WebSocketConnection)?
  private(set) var dialect = Dialect()
  private(set) var token: String?
  private(set) var received: [ServerMessage] = []
  private(set) var receivedBytes = 0
  private(set) var closure: WebSocketClosure?

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {
    token = protocolToken
    for flavour in SyncFlavour.allCases {
      if let accepted = Negotiation.accepted(protocolToken, flavour: flavour) { dialect = accepted }
    }
  }

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message else {
      Issue.record("a text message arrived")
      return
    }
    receivedBytes += bytes.count
    do {
      received.append(try MessageDecoder(dialect: dialect).serverMessage(bytes))
    } catch {
      Issue.record("the server sent what is no message: \(error)")
    }
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) { self.closure = closure }

  func send(_ message: ClientMessage) { connection?.send(binary: message.encoded(for: dialect)) }
  func send(text: String) { connection?.send(binary: Array(text.utf8)) }

  /// The messages since the last call, without log lines.
  func take() -> [ServerMessage] {
    defer { received = [] }
    return received.filter { message in
      if case .log = message { return false }
      return true
    }
  }

  var closeCode: Int? {
    guard case .closed(let code, _, _)? = closure else { return nil }
    return Int(code.rawValue)
  }

  // MARK: Conversations

  func bind(_ session: UInt64, _ path: String, needsIdent: Bool = true) {
    send(.bind(BindMessage(session: SessionIdent(session), path: path, needsFileIdent: needsIdent)))
  }

  func ident(
    _ session: UInt64, _ file: SaltedFileIdent, download: DownloadCursor = .zero, latest: SaltedServerVersion = .zero
  ) {
    send(
      .ident(
        ClientIdentMessage(
          session: SessionIdent(session), file: file, download: download, latestServerVersion: latest)))
  }

  /// Sends `count` changesets with the same bytes, the last of them with the version.
  func upload(_ session: UInt64, version: UInt64, base: UInt64 = 0, bytes: [UInt8], count: UInt64 = 1) {
    func cursor(_ version: UInt64) -> UploadCursor {
      UploadCursor(client: ClientVersion(version), server: ServerVersion(base))
    }
    send(
      .upload(
        UploadMessage(
          session: SessionIdent(session), progress: cursor(version), lockedServerVersion: ServerVersion(base),
          entries: (version - count + 1...version).map {
            UploadEntry(cursor: cursor($0), timestamp: OriginTimestamp(1), changeset: bytes)
          })))
  }

  func mark(_ session: UInt64, _ request: UInt64) {
    send(.mark(MarkMessage(session: SessionIdent(session), request: RequestIdent(request))))
  }
}

extension ServerMessage {
  var failureCode: Int? {
    switch self {
    case .jsonError(let error): error.code.rawValue
    case .error(let error): error.code.rawValue
    default: nil
    }
  }
  var file: SaltedFileIdent? {
    if case .ident(let message) = self { return message.file }
    return nil
  }
  var download: DownloadMessage? {
    if case .download(let message) = self { return message }
    return nil
  }
}

extension Stage {
  /// A connection with one session, identified and caught up.
  func session(
    _ token: String, _ path: String, from host: String = "phone", headers: HTTPHeaders = [:],
    to server: String = "server"
  ) throws -> (WireClient, SaltedFileIdent) {
    let client = try connect(token, headers: headers, from: host, to: server)
    client.bind(1, path)
    run()
    let file = try #require(client.take().compactMap(\.file).first, "the server gives an ident for \(path)")
    client.ident(1, file)
    run()
    try #require(client.take().contains { $0.download != nil })
    return (client, file)
  }
}
