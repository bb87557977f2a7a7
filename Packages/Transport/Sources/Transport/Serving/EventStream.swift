public import Concurrency
import Synchronization

/// A response of server-sent events that goes on until either end closes it.
///
///     let stream = EventStream.open(on: responder, scheduler: loop) { removeSubscriber() }
///     stream.send(ServerSentEvent(event: "session", data: json))
///
/// A client that reads too slowly loses events instead of growing the server: they are counted, and an event `dropped` with
/// their number precedes the next one. All methods can be called from any thread. It lives until its connection ends.
public final class EventStream: HTTPBodyHandler {
  /// The bytes waiting for the client above which events are dropped.
  public static let limit = 256 << 10
  /// The interval between comments that keep idle connections, and proxies on the way, open.
  public static let heartbeat: Duration = .seconds(15)

  private struct State {
    var writer: (any HTTPBodyWriter)?
    var dropped = 0
    var isEnded = false
  }

  private let scheduler: any Scheduler
  private let onEnd: @Sendable () -> Void
  private let state = Mutex(State())

  private init(scheduler: any Scheduler, onEnd: @escaping @Sendable () -> Void) {
    self.scheduler = scheduler
    self.onEnd = onEnd
  }

  /// Answers a request with a stream.
  ///
  /// - Parameters:
  ///   - headers: further headers; the content type and the prohibition of caching are added.
  ///   - onEnd: called once, on the loop, when the stream has ended for any reason.
  public static func open(
    on responder: any HTTPResponder, scheduler: any Scheduler, headers: HTTPHeaders = [:],
    onEnd: @escaping @Sendable () -> Void
  ) -> EventStream {
    let stream = EventStream(scheduler: scheduler, onEnd: onEnd)
    var head = HTTPResponse(status: 200, headers: headers, body: ServerSentEvent.heartbeat)
    head.headers["Content-Type"] = "text/event-stream"
    head.headers["Cache-Control"] = "no-store"
    head.headers["X-Accel-Buffering"] = "no"
    var options = HTTPStreamOptions()
    options.writeBudget = 4 * limit
    let writer = responder.stream(head, options: options, handler: stream)
    stream.state.withLock { $0.writer = $0.isEnded ? nil : writer }
    stream.beat()
    return stream
  }

  /// Sends an event.
  ///
  /// - Returns: false when it is dropped, because the client reads too slowly or is gone.
  @discardableResult
  public func send(_ event: ServerSentEvent) -> Bool {
    // Under the lock, so that events of several threads stay in the order in which they were accepted.
    state.withLock { state in
      guard let writer = state.writer else { return false }
      let bytes = event.encoded
      guard
        writer.bufferedBytes + bytes.count <= Self.limit || writer.bufferedBytes == 0 && bytes.count <= 4 * Self.limit
      else {
        state.dropped += 1
        return false
      }
      if state.dropped > 0 {
        writer.write(ServerSentEvent(event: "dropped", data: String(state.dropped)).encoded)
        state.dropped = 0
      }
      writer.write(bytes)
      return true
    }
  }

  /// Ends the stream.
  public func finish() {
    // Called on the loop only, where writers may report at once: not under the lock.
    let writer = state.withLock { $0.writer }
    writer?.finish()
  }

  private func beat() {
    scheduler.schedule(after: Self.heartbeat) { [weak self] in
      guard let self, let writer = state.withLock({ $0.writer }) else { return }
      if writer.bufferedBytes == 0 { writer.write(ServerSentEvent.heartbeat) }
      beat()
    }
  }

  // MARK: HTTPBodyHandler

  /// Ends the stream: clients come back to the next server.
  public func bodyShouldFinish(_ writer: any HTTPBodyWriter) { writer.finish() }

  /// Releases the connection.
  public func body(_ writer: any HTTPBodyWriter, didEnd failure: TransportError?) {
    let isFirst = state.withLock { state in
      defer { state = State(writer: nil, isEnded: true) }
      return !state.isEnded
    }
    if isFirst { onEnd() }
  }
}
