import CLibUV
import Concurrency
import Transport

// @unchecked Sendable: as LoopHandle; everything happens on the loop's thread.
/// A TCP connection with or without TLS: bytes in order, queued writes, one report of the end.
final class SocketStream: LoopHandle, @unchecked Sendable {
  /// Receives bytes, which are valid during the call only.
  var onData: ((UnsafeRawBufferPointer) -> Void)?
  /// The number of bytes that may be read, out of a number offered; 0 stops reading until ``startReading()``.
  var roomToRead: ((Int) -> Int)?
  /// Called at the end, once, unless this side closed.
  var onEnd: ((StreamEnd) -> Void)?
  /// Called whenever queued bytes went to the system.
  var onFlushed: (() -> Void)?
  /// Called when this side's closing is complete and the handle is freed.
  var onClosed: (() -> Void)?

  var tcp: UnsafeMutablePointer<uv_tcp_t>?
  var tls: TLSSession?
  var onSecured: ((Result<Void, TransportError>) -> Void)?
  var queue: [[UInt8]] = []
  var queuedBytes = 0
  var writingBytes = 0
  var isReading = false
  private var wantsReading = false
  var isFinishing = false
  var linger: (any Cancellable)?

  /// The time for the peer to close after this side did.
  static let lingerTime: Duration = .seconds(2)

  /// Bytes that the system has not taken yet.
  var bufferedBytes: Int { queuedBytes + writingBytes + (tls?.waitingBytes ?? 0) }

  /// Bytes that the system took so far.
  var takenBytes: UInt64 = 0

  var isSecure: Bool { tls != nil }

  private(set) var remoteAddress = ""

  var isOpen: Bool { tcp != nil && !isFinishing }

  // MARK: Opening

  /// Connects; `completion` gets libuv's code, 0 for success.
  func connect(to address: SocketAddress, completion: @escaping (Int32) -> Void) {
    let (handle, code) = open(uv_tcp_t.self) { uv_tcp_init(loop.uvLoop, $0) }
    guard let handle else { return loop.execute(LoopClosure { completion(code) }.callAsFunction) }
    tcp = handle
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    // Retained until the request calls back, once, or is refused.
    request.pointee.data = Unmanaged.passRetained(ConnectBox(stream: self, completion)).toOpaque()
    let started = address.withPointer { address in
      uv_tcp_connect(request, handle, address) { request, code in
        guard let request, let data = request.pointee.data else { return }
        let box = Unmanaged<ConnectBox>.fromOpaque(data).takeRetainedValue()
        request.deallocate()
        if code == 0 { box.stream.configure() }
        // Also after a cancellation: the owner ignores the result then.
        box.completion(code)
      }
    }
    guard started != 0 else { return }
    Unmanaged<ConnectBox>.fromOpaque(request.pointee.data).release()
    request.deallocate()
    loop.execute(LoopClosure { completion(started) }.callAsFunction)
  }

  /// Takes a waiting connection of a listening handle; false when there is none.
  func accept(from server: UnsafeMutablePointer<uv_stream_t>) -> Bool {
    let (handle, _) = open(uv_tcp_t.self) { uv_tcp_init(loop.uvLoop, $0) }
    guard let handle else { return false }
    tcp = handle
    guard uv_accept(server, Self.stream(handle)) == 0 else {
      abort()
      return false
    }
    configure()
    return true
  }

  private final class ConnectBox {
    let stream: SocketStream
    let completion: (Int32) -> Void

    init(stream: SocketStream, _ completion: @escaping (Int32) -> Void) {
      self.stream = stream
      self.completion = completion
    }
  }

  private func configure() {
    guard let tcp else { return }
    uv_tcp_nodelay(tcp, 1)
    openrealm_quick_acknowledge(tcp)
    remoteAddress = SocketAddress { uv_tcp_getpeername(tcp, $0, $1) }?.description ?? ""
  }

  /// Starts TLS on the stream; writes before the end of its handshake are queued.
  func secure(_ session: TLSSession, completion: @escaping (Result<Void, TransportError>) -> Void) {
    tls = session
    onSecured = completion
    startReading()
    handleTLS { try session.advance() }
  }

  // MARK: Reading

  func startReading() {
    wantsReading = true
    guard let tcp, !isReading else { return }
    isReading = true
    uv_read_start(
      Self.stream(tcp),
      { handle, _, buffer in
        guard let data = handle?.pointee.data else { return }
        let stream = Unmanaged<SocketStream>.fromOpaque(data).takeUnretainedValue()
        // The bytes are consumed within the read callback, so all streams of the loop share one buffer.
        let memory = stream.loop.readBuffer
        let room = stream.roomToRead.map { min($0(memory.count), memory.count) } ?? memory.count
        buffer?.pointee = uv_buf_init(memory.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(max(0, room)))
      },
      { handle, count, buffer in
        guard let data = handle?.pointee.data else { return }
        let stream = Unmanaged<SocketStream>.fromOpaque(data).takeUnretainedValue()
        stream.didRead(count, UnsafeRawPointer(buffer?.pointee.base))
      })
  }

  /// Stops reading, for back-pressure: the kernel's buffers fill up, then the peer's.
  func stopReading() {
    wantsReading = false
    guard let tcp, isReading, tls?.isEstablished != false else { return }
    isReading = false
    uv_read_stop(Self.stream(tcp))
  }

  private func didRead(_ count: Int, _ base: UnsafeRawPointer?) {
    if count == 0 { return }
    if count == Int(UV_ENOBUFS.rawValue) {
      // The owner starts reading again when there is room.
      if let tcp { uv_read_stop(Self.stream(tcp)) }
      isReading = false
      return
    }
    guard count > 0 else {
      if isFinishing { return abort() }
      return end(count == Int(UV_EOF.rawValue) ? .endOfStream : .failed(SystemError.streaming(Int32(count))))
    }
    if let tcp { openrealm_quick_acknowledge(tcp) }
    let bytes = UnsafeRawBufferPointer(start: base, count: count)
    if isFinishing { return }
    guard let tls else {
      onData?(bytes)
      return
    }
    handleTLS { try tls.receive(bytes) }
  }

  // MARK: TLS

  private func handleTLS(_ step: () throws -> Void) {
    guard let tls else { return }
    do {
      try step()
      try tls.advance()
    } catch {
      flush(tls)
      let failure = (error as? TransportError) ?? TransportError(.tlsFailed, "TLS failed")
      return end(.failed(failure))
    }
    flush(tls)
    if tls.isEstablished, let secured = onSecured {
      onSecured = nil
      secured(.success(()))
      if !wantsReading { stopReading() }
    }
    while isOpen, let plain = tls.takePlain() { plain.withUnsafeBytes { onData?($0) } }
    if isOpen && tls.isEnded { end(.endOfStream) }
  }

  func flush(_ tls: TLSSession) {
    let output = tls.takeOutput()
    if !output.isEmpty { writeRaw(output) }
  }

  override func loopIsShuttingDown() {
    end(.failed(TransportError(.shutDown, "the event loop was shut down: close connections before it")))
    abort()
  }

  static func stream(_ tcp: UnsafeMutablePointer<uv_tcp_t>) -> UnsafeMutablePointer<uv_stream_t> {
    UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
  }

  static func buffer(_ bytes: UnsafeRawBufferPointer) -> uv_buf_t {
    // libuv only reads from it.
    uv_buf_init(
      UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)),
      UInt32(clamping: bytes.count))
  }
}
