import Concurrency
import SyncProtocol
import Telemetry
import Transport

/// The stream to another node that carries sessions of one client. It is looked after at intervals.
// @unchecked Sendable: its variables are accessed on the loop only.
final class PeerConnection: WebSocketHandler, @unchecked Sendable {
  let node: ServerNode
  private weak var relay: ConnectionRelay?
  private let scheduler: any Scheduler
  private var socket: (any WebSocketConnection)?
  private var timer: (any Cancellable)?

  init(node: ServerNode, relay: ConnectionRelay, scheduler: any Scheduler) {
    self.node = node
    self.relay = relay
    self.scheduler = scheduler
  }

  /// The bytes that wait to be sent.
  var bufferedBytes: Int { socket?.bufferedBytes ?? 0 }

  /// Begins with a socket that is being opened.
  func open(_ socket: any WebSocketConnection) {
    self.socket = socket
    startTimer()
  }

  func send(_ bytes: [UInt8]) { socket?.send(binary: bytes) }

  func pause(_ isPaused: Bool) {
    if isPaused { socket?.pauseReading() } else { socket?.resumeReading() }
  }

  /// Ends the connection. Nothing is reported any more.
  func close() {
    relay = nil
    timer?.cancel()
    socket?.close(code: .normal, reason: "")
  }

  private func startTimer() {
    timer = scheduler.schedule(after: RelayLimits.heartbeat) { [weak self] in self?.beat() }
  }

  private func beat() {
    guard let relay else { return }
    startTimer()
    relay.look(after: self)
  }

  // MARK: Socket

  func webSocketDidOpen(_ connection: any WebSocketConnection, protocolToken: String?) {}

  func webSocket(_ connection: any WebSocketConnection, didReceive message: WebSocketMessage) {
    guard case .binary(let bytes) = message else { return connection.abort() }
    relay?.received(bytes, from: self)
  }

  func webSocketDidDrain(_ connection: any WebSocketConnection) { relay?.drained(self) }

  func webSocket(_ connection: any WebSocketConnection, didClose closure: WebSocketClosure) {
    timer?.cancel()
    switch closure {
    case .closed(let code, _, byPeer: true): relay?.lost(self, code: code)
    case .closed, .refused, .failed: relay?.lost(self, code: nil)
    }
  }
}
