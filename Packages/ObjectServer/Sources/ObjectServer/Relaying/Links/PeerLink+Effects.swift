import ByteCoding
import Transport

// The effects of a link: events first, then messages for readers, then frames for the other node.
extension PeerLink {
  /// The next effect; nil when there is none.
  ///
  /// - Parameter room: the bytes that may be written now; without any no frames are.
  /// - Complexity: O(bytes of the effect), amortised.
  package mutating func next(room: Int) -> Effect? {
    while true {
      if let event = events.popFirst() { return event }
      guard let number = deliverable.popFirst() else { break }
      if let effect = deliver(number) { return effect }
    }
    guard room > 0, !hasEnded else { return nil }
    let batch = writeFrames(atMost: min(room, limits.batchBytes))
    return batch.isEmpty ? events.popFirst() : .write(batch)
  }

  // MARK: For the readers

  mutating func makeDeliverable(_ number: UInt64) {
    if streams[number]?.claimDelivery() ?? false { deliverable.append(number) }
  }

  /// Takes a stream's next message, or its end.
  private mutating func deliver(_ number: UInt64) -> Effect? {
    switch streams[number]?.nextDelivery() {
    case nil: return nil
    case .message(let message):
      makeDeliverable(number)
      makeReady(number)
      return .received(number, message)
    case .end(let code, let reason):
      answerClose(number, byPeer: true, code, reason)
      return nil
    }
  }

  /// Answers the end of a stream by the other side, and forgets it.
  mutating func answerClose(_ number: UInt64, byPeer: Bool, _ code: WebSocketCloseCode, _ reason: String) {
    guard let stream = streams[number] else { return }
    remove(number)
    if !stream.isCloseSent {
      // The acceptance goes before.
      control += stream.head
      appendControl(.close(code, reason: ""), of: number)
    }
    events.append(.closed(number, .closed(code: code, reason: reason, byPeer: byPeer)))
  }

  // MARK: For the other node

  mutating func makeReady(_ number: UInt64) {
    guard streams[number]?.claimTurn(limits) ?? false else { return }
    ready.append(number)
    // Streams that ended meanwhile are skipped; they must not pile up while nothing can be written.
    if ready.count > 2 * streams.count + 64 {
      let streams = streams
      ready.filter { streams[$0] != nil }
    }
  }

  /// Joins frames of streams in turn, until there are enough bytes.
  private mutating func writeFrames(atMost most: Int) -> [UInt8] {
    guard !control.isEmpty || !ready.isEmpty else { return [] }
    var writer = ByteWriter()
    swap(&writer.bytes, &control)
    while writer.count < most, let number = ready.popFirst() {
      let before = bufferedBytes(of: number)
      streams[number]?.writeTurn(number, limits, to: &writer)
      queuedBytes -= before - bufferedBytes(of: number)
      if streams[number]?.takeDrained() ?? false { events.append(.drained(number)) }
      makeReady(number)
    }
    return writer.bytes
  }

  mutating func appendControl(_ frame: LinkFrame, of number: UInt64) {
    guard !hasEnded else { return }
    var writer = ByteWriter()
    swap(&writer.bytes, &control)
    frame.write(stream: number, to: &writer)
    swap(&writer.bytes, &control)
    if control.count > limits.controlBytes { fail(LinkViolation("the other node does not read")) }
  }

  // MARK: Ends

  /// Ends a stream at once, for a reason of this side.
  mutating func end(_ number: UInt64, _ closure: WebSocketClosure) {
    guard let head = streams[number]?.head else { return }
    remove(number)
    // A stream that the other node never heard of needs no end there.
    if role == .acceptor || head.isEmpty { appendControl(.abort, of: number) }
    events.append(.closed(number, closure))
  }

  mutating func remove(_ number: UInt64) {
    guard let stream = streams.removeValue(forKey: number) else { return }
    queuedBytes -= stream.outbox.byteCount
    if stream.deadline != nil { unsettled -= 1 }
  }

  /// Ends a stream on which too much waits.
  mutating func overflow(_ number: UInt64) {
    end(number, .failed(TransportError(.writeBudgetExceeded, "the other node takes a stream too slowly")))
  }

  /// The stream on which the most bytes wait. O(*n*) in the streams.
  var fullestStream: UInt64? {
    streams.max { ($0.value.outbox.byteCount, $0.key) < ($1.value.outbox.byteCount, $1.key) }?.key
  }

  /// Ends the link: the other node broke a rule.
  mutating func fail(_ violation: LinkViolation) {
    lose(TransportError(.protocolViolation, "the other node broke the rules of the link: \(violation.reason)"))
    events.append(.end(.protocolError, reason: violation.reason))
  }
}
