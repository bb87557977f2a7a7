import Concurrency
import Synchronization
import Transport

// @unchecked Sendable: its variables are touched on the loop's thread only; those that other threads read are behind
// the mutex.
/// The body of one response, written in parts to the connection of its request.
///
/// The connection holds it weakly, and it holds itself while a call of `bodyDidDrain` is due: a writer that nobody could finish
/// any more is released, and cuts its connection.
final class RealBodyWriter: HTTPBodyWriter, @unchecked Sendable {
  private struct Visible {
    /// Bytes on the way to the loop.
    var handedOver = 0
    var buffered = 0
    var isEnded = false
  }

  private let connection: HTTPServerConnection
  private let loop: EventLoop
  private let options: HTTPStreamOptions
  private let visible = Mutex(Visible())
  private var handler: (any HTTPBodyHandler)?
  private var isAboveLowWater = false
  /// Itself while a call of `bodyDidDrain` is due.
  private var owner: RealBodyWriter?
  private var stallTimer: (any Cancellable)?

  init(
    connection: HTTPServerConnection, loop: EventLoop, options: HTTPStreamOptions, handler: any HTTPBodyHandler
  ) {
    self.connection = connection
    self.loop = loop
    self.options = options
    self.handler = handler
  }

  deinit {
    guard !visible.withLock(\.isEnded) else { return }
    loop.execute { [connection] in connection.abandonBody() }
  }

  var bufferedBytes: Int { visible.withLock { $0.handedOver + $0.buffered } }

  func write(_ part: [UInt8]) {
    guard !part.isEmpty else { return }
    let isTaken = visible.withLock { visible in
      guard !visible.isEnded else { return false }
      visible.handedOver += part.count
      return true
    }
    guard isTaken else { return }
    loop.executeNowOrSoon {
      self.visible.withLock { $0.handedOver -= part.count }
      guard self.handler != nil else { return }
      self.note(self.connection.writeBody(part))
    }
  }

  func finish() {
    loop.executeNowOrSoon {
      guard self.handler != nil else { return }
      self.connection.finishBody()
      self.end(nil)
    }
  }

  func abort() {
    loop.executeNowOrSoon {
      guard self.handler != nil else { return }
      self.fail(TransportError(.aborted, "the connection was cut by this side"))
    }
  }

  // MARK: Of the connection, on the loop

  func flushed(_ buffered: Int) {
    visible.withLock { $0.buffered = buffered }
    guard isAboveLowWater, buffered <= options.writeLowWaterMark, let handler else { return }
    isAboveLowWater = false
    owner = nil
    handler.bodyDidDrain(self)
  }

  func shouldFinish() { handler?.bodyShouldFinish(self) }

  /// Ends the body without the connection, which is gone or goes on.
  func end(_ failure: TransportError?) {
    guard let handler else { return }
    self.handler = nil
    owner = nil
    stallTimer?.cancel()
    stallTimer = nil
    visible.withLock { visible in
      visible.isEnded = true
      visible.buffered = 0
    }
    // From the loop: nothing is reported within the call that ends.
    loop.execute { handler.body(self, didEnd: failure) }
  }

  private func fail(_ error: TransportError) {
    end(error)
    connection.cut()
  }

  private func note(_ buffered: Int) {
    visible.withLock { $0.buffered = buffered }
    if buffered > options.writeLowWaterMark {
      isAboveLowWater = true
      owner = self
    }
    if buffered > options.writeBudget {
      return fail(
        TransportError(
          .writeBudgetExceeded, "the peer reads too slowly: more than \(options.writeBudget) bytes wait for it"))
    }
    if buffered > 0, stallTimer == nil { watchStall(taken: connection.takenBytes) }
  }

  /// Cuts a peer that takes none of the buffered bytes for the stall timeout.
  private func watchStall(taken: UInt64) {
    stallTimer = loop.schedule(after: options.stallTimeout) { [weak self] in
      guard let self, handler != nil else { return }
      stallTimer = nil
      let now = connection.takenBytes
      guard visible.withLock({ $0.buffered }) > 0 else { return }
      guard now == taken else { return watchStall(taken: now) }
      fail(TransportError(.timedOut, "the peer took nothing of the response for \(options.stallTimeout)"))
    }
  }
}
