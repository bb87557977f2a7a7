import CLibUV
import Concurrency
import Transport

/// How a byte stream ended.
enum StreamEnd {
  case endOfStream
  case failed(TransportError)

  /// The end as an error, for those who did not expect it.
  var error: TransportError {
    switch self {
    case .endOfStream: TransportError(.connectionLost, "the peer closed the connection: try again", cause: "EOF")
    case .failed(let error): error
    }
  }
}

/// A TCP connection, with TLS on it or not. Bytes in order, writes queued, one report of the end.
// @unchecked Sendable: as LoopHandle; everything happens on the loop's thread.
final class SocketStream: LoopHandle, @unchecked Sendable {
  /// Hears bytes. They are valid during the call only.
  var onData: ((UnsafeRawBufferPointer) -> Void)?
  /// How many of so many bytes may be read now; 0 stops reading until ``startReading()``.
  var roomToRead: ((Int) -> Int)?
  /// Hears of the end, once, unless this side closed.
  var onEnd: ((StreamEnd) -> Void)?
  /// Hears whenever queued bytes went to the system.
  var onFlushed: (() -> Void)?
  /// Hears when this side's closing is complete and the handle is gone.
  var onClosed: (() -> Void)?

  private var tcp: UnsafeMutablePointer<uv_tcp_t>?
  private var tls: TLSSession?
  private var onSecured: ((Result<Void, TransportError>) -> Void)?
  private var queue: [[UInt8]] = []
  private var queuedBytes = 0
  private var writingBytes = 0
  private var isReading = false
  private var wantsReading = false
  private var isFinishing = false
  private var linger: (any Cancellable)?

  /// How long the peer may take to close after this side did.
  private static let lingerTime: Duration = .seconds(2)

  /// Bytes that wait for the system to take them.
  var bufferedBytes: Int { queuedBytes + writingBytes + (tls?.waitingBytes ?? 0) }

  /// Bytes that the system took so far.
  private(set) var takenBytes: UInt64 = 0

  var isSecure: Bool { tls != nil }

  private(set) var remoteAddress = ""

  var isOpen: Bool { tcp != nil && !isFinishing }

  // MARK: Opening

  /// Connects; `completion` gets libuv's code, 0 for success.
  func connect(to address: SocketAddress, completion: @escaping (Int32) -> Void) {
    let (handle, code) = open(uv_tcp_t.self) { uv_tcp_init(loop.uvLoop, $0) }
    guard let handle else { return loop.execute(Unchecked { completion(code) }.callAsFunction) }
    tcp = handle
    let request = UnsafeMutablePointer<uv_connect_t>.allocate(capacity: 1)
    request.pointee.data = Unmanaged.passRetained(ConnectBox(stream: self, completion)).toOpaque()
    let started = address.withPointer { address in
      uv_tcp_connect(request, handle, address) { request, code in
        guard let request, let data = request.pointee.data else { return }
        let box = Unmanaged<ConnectBox>.fromOpaque(data).takeRetainedValue()
        request.deallocate()
        if code == 0 { box.stream.configure() }
        // Also when it was called off: the owner knows whether it still cares.
        box.completion(code)
      }
    }
    guard started != 0 else { return }
    Unmanaged<ConnectBox>.fromOpaque(request.pointee.data).release()
    request.deallocate()
    loop.execute(Unchecked { completion(started) }.callAsFunction)
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

  /// Puts TLS on the stream; what is sent before it is established waits.
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
        // The bytes are used up within the read callback, so the loop's streams share one buffer.
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

  /// Back-pressure: the kernel's buffers fill up, then the peer's.
  func stopReading() {
    wantsReading = false
    guard let tcp, isReading, tls?.isEstablished != false else { return }
    isReading = false
    uv_read_stop(Self.stream(tcp))
  }

  private func didRead(_ count: Int, _ base: UnsafeRawPointer?) {
    if count == 0 { return }
    if count == Int(UV_ENOBUFS.rawValue) {
      // There was no room: the owner starts again when there is.
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

  private func flush(_ tls: TLSSession) {
    let output = tls.takeOutput()
    if !output.isEmpty { writeRaw(output) }
  }

  // MARK: Writing

  func write(_ bytes: [UInt8]) {
    guard isOpen, !bytes.isEmpty else { return }
    guard let tls else { return writeRaw(bytes) }
    do {
      try tls.send(bytes)
    } catch {
      flush(tls)
      return end(.failed(error))
    }
    flush(tls)
  }

  private func writeRaw(_ bytes: [UInt8]) {
    guard let tcp else { return }
    guard writingBytes == 0, queue.isEmpty else {
      queue.append(bytes)
      queuedBytes += bytes.count
      return
    }
    // Most of the time the system takes everything at once.
    let taken = bytes.withUnsafeBytes { buffer -> Int32 in
      var piece = Self.buffer(buffer)
      return uv_try_write(Self.stream(tcp), &piece, 1)
    }
    takenBytes += UInt64(max(0, Int(taken)))
    if Int(taken) == bytes.count { return }
    guard taken >= 0 || taken == UV_EAGAIN.rawValue else {
      // Reported from the loop, never from inside the call that writes.
      let error = SystemError.streaming(taken)
      return loop.execute { self.end(.failed(error)) }
    }
    submit(Array(bytes.dropFirst(max(0, Int(taken)))))
  }

  private func submit(_ bytes: [UInt8]) {
    guard let tcp else { return }
    writingBytes = bytes.count
    let box = WriteBox(stream: self, bytes: bytes)
    let request = box.request
    request.pointee.data = Unmanaged.passRetained(box).toOpaque()
    var piece = Self.buffer(UnsafeRawBufferPointer(box.memory))
    let code = uv_write(request, Self.stream(tcp), &piece, 1) { request, code in
      guard let data = request?.pointee.data else { return }
      let box = Unmanaged<WriteBox>.fromOpaque(data).takeRetainedValue()
      box.stream.didWrite(code)
    }
    guard code != 0 else { return }
    Unmanaged.passUnretained(box).release()
    writingBytes = 0
    let error = SystemError.streaming(code)
    loop.execute { self.end(.failed(error)) }
  }

  private func didWrite(_ code: Int32) {
    takenBytes += UInt64(writingBytes)
    writingBytes = 0
    guard tcp != nil else { return }
    guard code == 0 else { return end(.failed(SystemError.streaming(code))) }
    if !queue.isEmpty {
      var joined: [UInt8] = []
      joined.reserveCapacity(queuedBytes)
      for piece in queue { joined += piece }
      queue = []
      queuedBytes = 0
      submit(joined)
    } else if isFinishing {
      shutDownWriting()
    }
    onFlushed?()
  }

  /// One write under way, with memory that does not move.
  private final class WriteBox {
    let stream: SocketStream
    let memory: UnsafeMutableRawBufferPointer
    let request = UnsafeMutablePointer<uv_write_t>.allocate(capacity: 1)

    init(stream: SocketStream, bytes: [UInt8]) {
      self.stream = stream
      memory = .allocate(byteCount: bytes.count, alignment: 1)
      memory.copyBytes(from: bytes)
    }

    deinit {
      memory.deallocate()
      request.deallocate()
    }
  }

  // MARK: Ending

  /// Sends what is queued, says goodbye, waits a little for the peer to do so, and closes. Nothing is reported but `onClosed`.
  func finish() {
    guard isOpen else { return }
    if let tls {
      tls.sayGoodbye()
      flush(tls)
    }
    isFinishing = true
    roomToRead = nil
    onData = nil
    onEnd = nil
    onFlushed = nil
    linger = loop.schedule(after: Self.lingerTime) { [weak self] in self?.abort() }
    isReading = false
    startReading()
    if writingBytes == 0 && queue.isEmpty { shutDownWriting() }
  }

  private func shutDownWriting() {
    guard let tcp else { return }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let code = uv_shutdown(request, Self.stream(tcp)) { request, _ in request?.deallocate() }
    if code != 0 {
      request.deallocate()
      abort()
    }
  }

  /// Closes at once, without a farewell. Nothing is reported but `onClosed`.
  func abort() {
    guard tcp != nil else { return }
    tcp = nil
    linger?.cancel()
    linger = nil
    roomToRead = nil
    onData = nil
    onEnd = nil
    onFlushed = nil
    onSecured = nil
    queue = []
    queuedBytes = 0
    closeHandle()
    let closed = onClosed
    onClosed = nil
    closed?()
  }

  private func end(_ reason: StreamEnd) {
    guard tcp != nil else { return }
    let heard = onEnd
    let secured = onSecured
    abort()
    if let secured { secured(.failure(reason.error)) } else { heard?(reason) }
  }

  override func loopIsShuttingDown() {
    end(.failed(TransportError(.shutDown, "the event loop was shut down: close connections before it")))
    abort()
  }

  private static func stream(_ tcp: UnsafeMutablePointer<uv_tcp_t>) -> UnsafeMutablePointer<uv_stream_t> {
    UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
  }

  private static func buffer(_ bytes: UnsafeRawBufferPointer) -> uv_buf_t {
    // libuv only reads from it.
    uv_buf_init(
      UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)),
      UInt32(clamping: bytes.count))
  }
}
