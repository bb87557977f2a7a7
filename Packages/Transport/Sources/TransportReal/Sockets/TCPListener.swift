import CLibUV
import Transport

// @unchecked Sendable: as LoopHandle.
/// A listening TCP socket.
final class TCPListener: LoopHandle, @unchecked Sendable {
  private(set) var address: ListenAddress
  /// Whether the listener has stopped.
  var isStopped: Bool { onConnection == nil }
  private var onConnection: ((SocketStream) -> Void)?
  private var onExhausted: (() -> Void)?

  /// - Parameter onExhausted: called when the process or the system has no file descriptor left for a connection. The
  ///   listener has stopped then, since libuv would retry for ever.
  init(
    loop: EventLoop, address: ListenAddress, onConnection: @escaping (SocketStream) -> Void,
    onExhausted: @escaping () -> Void
  ) {
    self.address = address
    self.onConnection = onConnection
    self.onExhausted = onExhausted
    super.init(loop: loop)
  }

  /// Binds and listens; SO_REUSEADDR is set by libuv, so a restarted server gets its port back at once.
  func start(on socketAddress: SocketAddress) throws(TransportError) {
    let (handle, failure) = open(uv_tcp_t.self) { uv_tcp_init(loop.uvLoop, $0) }
    guard let handle else { throw SystemError.make(failure, doing: "open a socket") }
    let stream = UnsafeMutableRawPointer(handle).assumingMemoryBound(to: uv_stream_t.self)
    var code = socketAddress.withPointer { uv_tcp_bind(handle, $0, 0) }
    if code == 0 {
      code = uv_listen(stream, 1_024) { handle, code in
        // Unmanaged: a `LoopHandle` is retained by its handle in C until that is closed.
        guard let handle, let data = handle.pointee.data else { return }
        let listener = Unmanaged<TCPListener>.fromOpaque(data).takeUnretainedValue()
        if code == 0 { listener.accept(handle) } else { listener.failed(code) }
      }
    }
    guard code == 0 else {
      closeHandle()
      throw SystemError.listening(code, on: address)
    }
    if let bound = SocketAddress({ uv_tcp_getsockname(handle, $0, $1) }) { address.port = bound.port }
  }

  private func accept(_ server: UnsafeMutablePointer<uv_stream_t>) {
    let stream = SocketStream(loop: loop)
    if stream.accept(from: server) { onConnection?(stream) }
  }

  private func failed(_ code: Int32) {
    guard code == UV_EMFILE.rawValue || code == UV_ENFILE.rawValue else { return }
    let report = onExhausted
    stop()
    report?()
  }

  override func loopIsShuttingDown() { stop() }

  func stop() {
    onConnection = nil
    onExhausted = nil
    closeHandle()
  }
}
