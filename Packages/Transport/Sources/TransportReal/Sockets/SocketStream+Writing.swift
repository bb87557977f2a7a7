import CLibUV
import Transport

/// Writes: taken by the system at once where it can, queued otherwise.
extension SocketStream {
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

  func writeRaw(_ bytes: [UInt8]) {
    guard let tcp else { return }
    guard writingBytes == 0, queue.isEmpty else {
      queue.append(bytes)
      queuedBytes += bytes.count
      return
    }
    // In most cases the system takes all bytes at once.
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
    // Retained until the request calls back, once, or is refused.
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

  /// One write under way, with its bytes at a fixed address.
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
}
