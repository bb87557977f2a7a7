import Transport

/// Messages and control frames of this side.
extension RealWebSocket {
  func send(binary bytes: [UInt8]) { send(.binary(bytes), bytes.count) }

  func send(text: String) { send(.text(text), text.utf8.count) }

  private func send(_ message: OutgoingMessage, _ byteCount: Int) {
    loop.executeNowOrSoon {
      switch self.stage {
      case .connecting:
        guard self.closesOnOpen == nil else { return }
        self.queued.append(message)
        self.queuedBytes += byteCount
        self.noteBuffered(self.queuedBytes)
      case .open: self.transmit(message)
      case .closing, .closed: break
      }
    }
  }

  func transmit(_ message: OutgoingMessage) {
    switch message {
    case .binary(let bytes): transmit { $0.binary(bytes) }
    case .text(let text): transmit { $0.text(text) }
    }
  }

  func ping(_ payload: [UInt8]) {
    loop.executeNowOrSoon { if case .open = self.stage { self.transmit { $0.ping(payload) } } }
  }

  func transmit(_ encode: (inout WebSocketEncoder) -> [UInt8]) {
    guard let stream, case .open = stage else { return }
    stream.write(encode(&encoder))
    noteBuffered(stream.bufferedBytes)
  }

  func noteBuffered(_ count: Int) {
    visible.withLock { $0.bufferedBytes = count }
    if count > options.writeLowWaterMark { isAboveLowWater = true }
    guard count > options.writeBudget else { return }
    loop.execute {
      self.end(
        .failed(
          TransportError(
            .writeBudgetExceeded, "the peer reads too slowly: more than \(self.options.writeBudget) bytes wait for it"))
      )
    }
  }

  func flushed() {
    guard let stream else { return }
    let count = stream.bufferedBytes
    visible.withLock { $0.bufferedBytes = count }
    if let waitingPong { answerPing(waitingPong) }
    guard case .open = stage, isAboveLowWater, count <= options.writeLowWaterMark else { return }
    isAboveLowWater = false
    handler?.webSocketDidDrain(self)
  }

  func admitsControlFrame() -> Bool {
    guard !controlFrames.admits(at: loop.now) else { return true }
    violated(WebSocketViolation(code: .policyViolation, reason: "too many pings and pongs", offset: 0))
    return false
  }

  /// Answers a ping. At most one pong is queued: a peer that does not read gets one for the last of its pings.
  func answerPing(_ payload: [UInt8]) {
    guard let stream else { return }
    guard stream.takenBytes >= pongEnd else { return waitingPong = payload }
    waitingPong = nil
    transmit { $0.pong(payload) }
    pongEnd = stream.takenBytes + UInt64(stream.bufferedBytes)
  }
}
