import Concurrency
import Telemetry
import Transport

// Frames of the other node, and time.
extension PeerLink {
  /// Handles a WebSocket message of the other node. One that breaks a rule ends the link.
  ///
  /// - Complexity: O(bytes), amortised.
  package mutating func received(_ bytes: [UInt8], at now: MonotonicInstant) {
    guard !hasEnded else { return }
    heard = now
    var reader = LinkFrameReader(bytes)
    do throws(LinkViolation) {
      while !hasEnded, let (number, frame) = try reader.next() { try received(frame, of: number) }
    } catch {
      fail(error)
    }
  }

  private mutating func received(_ frame: LinkFrame, of number: UInt64) throws(LinkViolation) {
    guard number != 0 else { return try receivedByLink(frame) }
    if case .open(let opening) = frame { return try offered(opening, number) }
    guard number <= lastStream else { throw LinkViolation("a frame of a stream that was never opened") }
    // Frames cross the end of their stream on the way.
    guard let isAnswered = streams[number]?.isAnswered else { return }
    switch frame {
    case .open, .ping, .pong: throw LinkViolation("a frame that belongs to no stream")
    case .accepted(let token):
      guard role == .opener, !isAnswered else { throw LinkViolation("a stream is accepted twice") }
      accepted(number, token)
    case .refused(let response):
      guard role == .opener, !isAnswered else { throw LinkViolation("a refusal of an accepted stream") }
      remove(number)
      events.append(.closed(number, .refused(response)))
    case .message, .more: try receivedPart(frame, number)
    case .credit(let weight):
      try streams[number]?.outbox.add(credit: weight, window: limits.window)
      makeReady(number)
    case .close(let code, let reason): try closed(number, code, reason)
    case .abort:
      remove(number)
      events.append(.closed(number, .failed(TransportError(.connectionLost, "the other node ended the stream"))))
    }
  }

  private mutating func receivedByLink(_ frame: LinkFrame) throws(LinkViolation) {
    switch frame {
    case .ping: appendControl(.pong, of: 0)
    case .pong: break
    case .open, .accepted, .refused, .message, .more, .credit, .close, .abort:
      throw LinkViolation("a frame of a stream without its number")
    }
  }

  private mutating func offered(_ opening: StreamOpening, _ number: UInt64) throws(LinkViolation) {
    guard role == .acceptor, number > lastStream else { throw LinkViolation("a stream that may not be opened") }
    lastStream = number
    guard streams.count < limits.streams else {
      let refusal = HTTPResponse(status: 503, text: "the link has no room for another stream\n")
      return appendControl(.refused(refusal), of: number)
    }
    streams[number] = LinkedStream(window: limits.window)
    events.append(.offered(number, opening))
  }

  private mutating func accepted(_ number: UInt64, _ token: String?) {
    streams[number]?.isAnswered = true
    // A stream that this side is closing already goes on with that.
    guard streams[number]?.stage == .opening else { return }
    streams[number]?.stage = .open
    streams[number]?.deadline = nil
    unsettled -= 1
    events.append(.opened(number, protocolToken: token))
    makeReady(number)
  }

  private mutating func receivedPart(_ frame: LinkFrame, _ number: UInt64) throws(LinkViolation) {
    if let bytes = try streams[number]?.take(frame) ?? nil {
      events.append(.arriving(number, bytes: bytes, received: frame.weight))
    }
    makeDeliverable(number)
    makeReady(number)
  }

  private mutating func closed(_ number: UInt64, _ code: WebSocketCloseCode, _ reason: String) throws(LinkViolation) {
    try streams[number]?.noteClosure(code, reason)
    if case .closing(let code, let reason)? = streams[number]?.stage {
      return answerClose(number, byPeer: false, code, reason)
    }
    makeDeliverable(number)
  }

  // MARK: Time

  /// Looks at the clock, at intervals: asks for a sign of life, ends streams that the other node does not answer, and the link when
  /// nothing was heard for long.
  ///
  /// - Returns: whether the link lives.
  /// - Complexity: O(*n*) in the streams when one of them is being opened or closed.
  package mutating func tick(at now: MonotonicInstant) -> Bool {
    guard !hasEnded, now - heard <= limits.silence else { return false }
    appendControl(.ping, of: 0)
    guard unsettled > 0 else { return true }
    let late = streams.compactMap { $0.value.deadline.map { $0 < now } ?? false ? $0.key : nil }
    for number in late.sorted() {
      switch streams[number]?.stage {
      case .closing(let code, let reason): end(number, .closed(code: code, reason: reason, byPeer: false))
      case .opening, .open, nil: end(number, .failed(TransportError(.timedOut, "the other node did not answer")))
      }
    }
    return true
  }
}
