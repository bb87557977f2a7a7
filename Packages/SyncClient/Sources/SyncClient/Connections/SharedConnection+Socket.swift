import SyncProtocol
import Transport

/// Bytes to and from the socket of a connection.
extension SharedConnection {
  /// While more bytes than this are buffered by the socket, the machine gets no ``ClientConnection/Event/writable``.
  private static let writeHighWater = 4 << 20
  /// Reading pauses while more bytes of downloads than this are not integrated, and goes on at half.
  static let readHighWater = 4 << 20

  /// Bytes of downloads that are not integrated. O(sessions).
  var waitingBytes: Int { runner.machine.waitingDownloadBytes }

  /// Pauses or resumes reading by the bytes that are not integrated: TCP slows the server down to the speed of the
  /// disk.
  func limitReading() {
    guard let socket, let connection = socket.connection else { return }
    let waiting = waitingBytes
    if !socket.isPaused, waiting > Self.readHighWater {
      socket.isPaused = true
      connection.pauseReading()
    } else if socket.isPaused, waiting <= Self.readHighWater / 2 {
      socket.isPaused = false
      connection.resumeReading()
    }
  }

  /// Begins the upgrade request of a socket.
  func connect(_ socket: ConnectionSocket, _ token: String) {
    let target = environment.decorate?(target) ?? target
    var url = target.server
    socket.compresses = !url.isThisMachine
    url.target = UpgradePath.target(servicePath: url.target, accessToken: token)
    var options = WebSocketOptions()
    options.connectTimeout = environment.timing.connectTimeout
    options.maximumMessageBytes = runner.machine.limits.messageBytes
    options.tls = target.trust
    var headers = target.headers
    if headers["User-Agent"] == nil { headers["User-Agent"] = "RealmSync/14.14.0 (OpenRealm Swift)" }
    let endpoint = WebSocketEndpoint(url: url, protocolTokens: runner.machine.protocolTokens, headers: headers)
    socket.connection = environment.network.connectWebSocket(to: endpoint, options: options, handler: socket)
  }

  func closeSocket() {
    socket?.close()
    socket = nil
  }

  /// Sends a message; the machine hears when the next one may follow. Called while an action is performed.
  func send(_ message: ClientMessage) {
    guard let socket, let connection = socket.connection else { return }
    let dialect = runner.machine.dialect ?? Dialect()
    connection.send(binary: message.encoded(for: dialect, compressing: socket.compresses))
    if connection.bufferedBytes < Self.writeHighWater {
      runner.enqueue(.writable)
    } else {
      socket.waitsForDrain = true
    }
  }
}
