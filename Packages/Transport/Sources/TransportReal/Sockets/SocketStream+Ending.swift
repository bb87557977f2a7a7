import CLibUV
import Concurrency

/// The end of a stream: in order, at once, or reported.
extension SocketStream {
  /// Sends queued bytes and the end of the stream, waits up to two seconds for the peer's end, and closes. Only `onClosed` is
  /// reported.
  func finish() {
    guard isOpen else { return }
    if let tls {
      tls.sendCloseNotify()
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

  func shutDownWriting() {
    guard let tcp else { return }
    let request = UnsafeMutablePointer<uv_shutdown_t>.allocate(capacity: 1)
    let code = uv_shutdown(request, Self.stream(tcp)) { request, _ in request?.deallocate() }
    if code != 0 {
      request.deallocate()
      abort()
    }
  }

  /// Closes at once. Only `onClosed` is reported.
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

  func end(_ reason: StreamEnd) {
    guard tcp != nil else { return }
    let report = onEnd
    let secured = onSecured
    abort()
    if let secured { secured(.failure(reason.error)) } else { report?(reason) }
  }
}
