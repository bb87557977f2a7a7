import Concurrency
import Telemetry
import Transport

/// The link between two nodes as a pure state machine: many streams, each of which is a client's WebSocket, over one connection.
///
/// It is asked for its effects one at a time with ``next(room:)``; calls change only its state. A value.
///
/// - Guarantee: each stream's messages arrive whole and in order, and its end behind them.
/// - Guarantee: a stream whose reader stops holds at most a window of received bytes and one message, and holds up no other. Streams
///   that have something to send take turns, a part of a message each.
/// - Guarantee: a peer that breaks the format or the rules ends the link; it never traps.
package struct PeerLink: Sendable {
  /// The side of a link: the node that passes on opens it, and its streams.
  package enum Role: Hashable, Sendable { case opener, acceptor }

  /// The bounds of a link. Named in `Docs/Limitations.md`.
  package struct Limits: Hashable, Sendable {
    /// The weight of messages that one stream may have under way, or unread at its reader.
    package var window = 64 << 10
    /// The bytes of a message that are sent before other streams have their turn.
    package var partBytes = 16 << 10
    /// The bytes of frames in one WebSocket message, beyond which no frame is added.
    package var batchBytes = 64 << 10
    /// The streams of one link.
    package var streams = 65_536
    /// The bytes that wait on all streams of one link; beyond it the stream with the most is ended.
    package var queueBytes = 512 << 20
    /// The bytes of ends and answers that wait; beyond it the other node does not read, and the link ends.
    package var controlBytes = 1 << 20
    /// The time for the other node to accept or refuse a stream.
    package var opening = RelayLimits.connecting
    /// The time for the other node to answer the end of a stream.
    package var closing = Duration.seconds(5)
    /// The silence after which the other node is taken for lost.
    package var silence = RelayLimits.silence

    /// The bounds above.
    package init() {}
  }

  /// The work of a link for its owner, to be performed in order.
  package enum Effect: Hashable, Sendable {
    /// Send frames, as one WebSocket message.
    case write([UInt8])
    /// Have the server decide on a stream: ``PeerLink/accept(_:protocolToken:_:)`` or ``PeerLink/refuse(_:_:)``.
    case offered(UInt64, StreamOpening)
    case opened(UInt64, protocolToken: String?)
    case received(UInt64, WebSocketMessage)
    /// A part of a long message arrived.
    case arriving(UInt64, bytes: Int, received: Int)
    /// The messages that waited have been sent.
    case drained(UInt64)
    /// The last effect of a stream.
    case closed(UInt64, WebSocketClosure)
    /// Close the connection with this code; the streams have ended.
    case end(WebSocketCloseCode, reason: String)
  }

  let role: Role
  let limits: Limits
  var streams: [UInt64: LinkedStream] = [:]
  /// The number of the last stream that was opened; numbers are not used again.
  var lastStream: UInt64 = 0
  /// Effects that go before messages and frames.
  var events = FIFOQueue<Effect>()
  /// Streams with messages for their readers, in turn.
  var deliverable = FIFOQueue<UInt64>()
  /// Streams with frames to be sent, in turn.
  var ready = FIFOQueue<UInt64>()
  /// Frames that go before those of the streams: ends of streams that are forgotten, and signs of life.
  var control: [UInt8] = []
  /// The bytes that wait on all streams.
  package internal(set) var queuedBytes = 0
  /// The streams that are being opened or closed, which have a deadline.
  var unsettled = 0
  var heard: MonotonicInstant
  var hasEnded = false

  /// A link without streams.
  package init(_ role: Role, limits: Limits = Limits(), at now: MonotonicInstant) {
    self.role = role
    self.limits = limits
    heard = now
  }

  /// Notes that the other side was authenticated: its silence counts from here.
  mutating func begin(at now: MonotonicInstant) { heard = now }

  /// The number of streams.
  package var streamCount: Int { streams.count }

  /// The bytes of a stream that wait to be sent.
  package func bufferedBytes(of stream: UInt64) -> Int { streams[stream]?.outbox.byteCount ?? 0 }

  // MARK: Streams of this side

  /// Opens a stream; messages may follow at once.
  ///
  /// - Returns: its number; nil when there is no room for one, or the link has ended.
  package mutating func open(_ opening: StreamOpening, _ options: WebSocketOptions, at now: MonotonicInstant) -> UInt64?
  {
    guard !hasEnded, role == .opener, streams.count < limits.streams, opening.fitsFrame else { return nil }
    lastStream += 1
    let head = LinkFrame.open(opening).encoded(stream: lastStream)
    streams[lastStream] = LinkedStream(
      window: limits.window, opening: head, options, deadline: now + limits.opening)
    unsettled += 1
    makeReady(lastStream)
    return lastStream
  }

  /// Accepts a stream that was offered.
  ///
  /// - Returns: whether it was still there.
  package mutating func accept(_ number: UInt64, protocolToken: String?, _ options: WebSocketOptions) -> Bool {
    guard role == .acceptor, streams[number]?.stage == .opening else { return false }
    streams[number]?.accept(LinkFrame.accepted(protocolToken: protocolToken).encoded(stream: number), options)
    events.append(.opened(number, protocolToken: protocolToken))
    makeReady(number)
    makeDeliverable(number)
    return true
  }

  /// Refuses a stream that was offered.
  package mutating func refuse(_ number: UInt64, _ response: HTTPResponse) {
    guard role == .acceptor, streams[number]?.stage == .opening else { return }
    remove(number)
    appendControl(.refused(response), of: number)
  }

  /// Sends a message of a stream. A stream on which too much waits is ended.
  package mutating func send(_ number: UInt64, isText: Bool, _ bytes: [UInt8]) {
    guard let before = streams[number]?.outbox.byteCount else { return }
    if case .closing? = streams[number]?.stage { return }
    streams[number]?.append(isText: isText, bytes)
    queuedBytes += bufferedBytes(of: number) - before
    if bufferedBytes(of: number) > streams[number]?.writeBudget ?? 0 {
      overflow(number)
    } else if queuedBytes > limits.queueBytes, let fullest = fullestStream {
      overflow(fullest)
    }
    makeReady(number)
  }

  /// Ends a stream with a code, behind its messages.
  package mutating func close(
    _ number: UInt64, _ code: WebSocketCloseCode, reason: String, at now: MonotonicInstant
  ) {
    guard let stage = streams[number]?.stage else { return }
    if case .closing = stage { return }
    if streams[number]?.deadline == nil { unsettled += 1 }
    streams[number]?.close(code, reason, deadline: now + limits.closing)
    // The other node may have ended it already.
    if streams[number]?.peerClosure != nil { return answerClose(number, byPeer: false, code, reason) }
    makeReady(number)
  }

  /// Ends a stream at once.
  package mutating func abort(_ number: UInt64) {
    end(number, .failed(TransportError(.aborted, "the connection was cut by this side")))
  }

  /// Stops or resumes the reading from a stream.
  package mutating func pause(_ number: UInt64, _ isPaused: Bool) {
    streams[number]?.isPaused = isPaused
    guard !isPaused else { return }
    makeDeliverable(number)
    makeReady(number)
  }

  /// Withholds credit from a stream while there is no memory for its messages.
  package mutating func withhold(_ number: UInt64, _ isWithheld: Bool) {
    streams[number]?.isWithheld = isWithheld
    if !isWithheld { makeReady(number) }
  }

  /// Ends every stream: the connection is lost.
  package mutating func lose(_ error: TransportError) {
    guard !hasEnded else { return }
    hasEnded = true
    for number in streams.keys.sorted() {
      remove(number)
      events.append(.closed(number, .failed(error)))
    }
    control = []
  }
}
