import ChangesetOT
import Foundation
import SyncProtocol
import Synchronization
import TestKit
import Testing
import Transport

/// A sync client over a real socket that speaks raw messages.
final class RawClient: WebSocketHandler {
  struct State: Sendable {
    var file: SaltedFileIdent?
    var acknowledged: UInt64 = 0
    var progress = SyncProgress()
    var cursor: DownloadCursor { progress.download }
    var entries: [DownloadEntry] = []
    var isMarked = false
    var isClosed = false
    var failures: [String] = []
    var actions: [ErrorAction] = []
  }
  private let state = Mutex(State())
  private let connection = Mutex<(any WebSocketConnection)?>(nil)

  var now: State { state.withLock { $0 } }

  func connect(
    _ network: any Network, port: Int, token: String, tls: TLSClientConfiguration? = nil
  ) throws {
    let url = try NetworkURL("\(tls == nil ? "ws" : "wss")://127.0.0.1:\(port)/realm-sync?baas_at=\(token)")
    var options = WebSocketOptions()
    if let tls { options.tls = tls }
    let socket = network.connectWebSocket(
      to: WebSocketEndpoint(url: url, protocolTokens: SubprotocolOffer.tokens(for: .full)),
      options: options, handler: self)
    connection.withLock { $0 = socket }
  }

  func send(_ message: ClientMessage) { connection.withLock { $0 }?.send(binary: message.encoded(for: Dialect())) }
  func abort() { connection.withLock { $0 }?.abort() }

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {}

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message,
      let message = try? MessageDecoder(dialect: Dialect()).serverMessage(bytes)
    else { return }
    state.withLock { state in
      switch message {
      case .ident(let ident): state.file = ident.file
      case .download(let download):
        state.acknowledged = download.progress.upload.client.rawValue
        state.progress = download.progress
        state.entries += download.entries
      case .mark: state.isMarked = true
      case .jsonError(let error):
        state.failures.append("\(error.code) \(error.details.message)")
        state.actions.append(error.details.action)
      default: break
      }
    }
  }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    state.withLock { $0.isClosed = true }
  }

  /// Waits until the state is as wanted; tests fail rather than hang.
  func wait(_ what: String, until isDone: (State) -> Bool) async throws {
    try await eventually("\(what): \(now.failures)") { isDone(now) }
  }

  // MARK: Conversations

  /// - Parameter progress: where the client is.
  func open(
    _ path: String, as file: SaltedFileIdent? = nil, from progress: SyncProgress = SyncProgress()
  ) async throws -> SaltedFileIdent {
    send(.bind(BindMessage(session: SessionIdent(1), path: path, needsFileIdent: file == nil)))
    if file == nil { try await wait("an ident") { $0.file != nil } }
    let ident = try #require(file ?? now.file)
    send(
      .ident(
        ClientIdentMessage(
          session: SessionIdent(1), file: ident, download: progress.download,
          latestServerVersion: progress.latestServerVersion)))
    send(.mark(MarkMessage(session: SessionIdent(1), request: RequestIdent(1))))
    try await wait("the mark") { $0.isMarked }
    return ident
  }

  func upload(version: UInt64, bytes: [UInt8]) {
    let cursor = UploadCursor(client: ClientVersion(version), server: .zero)
    send(
      .upload(
        UploadMessage(
          session: SessionIdent(1), progress: cursor, lockedServerVersion: .zero,
          entries: [UploadEntry(cursor: cursor, timestamp: OriginTimestamp(version), changeset: bytes)])))
  }
}
