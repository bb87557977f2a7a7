import Transport

/// Messages of this side, and the end.
extension SimulatedWebSocket {
  func send(binary bytes: [UInt8]) { network.loop.executeNowOrSoon { self.enqueue(.message(.binary(bytes))) } }

  func send(text: String) {
    network.loop.executeNowOrSoon { self.enqueue(.message(.text(Array(text.utf8)))) }
  }

  func ping(_ payload: [UInt8]) { network.loop.executeNowOrSoon { self.enqueue(.ping(Array(payload.prefix(125)))) } }

  func close(code: WebSocketCloseCode, reason: String) {
    network.loop.executeNowOrSoon {
      switch self.stage {
      case .connecting: if self.closesOnOpen == nil { self.closesOnOpen = (code, reason) }
      case .open: self.beginClosing(code, reason)
      case .closing, .closed: break
      }
    }
  }

  func abort() {
    network.loop.execute {
      if let stream = self.stream, case .open = self.stage { stream.send(.reset, from: self.side) }
      self.end(.failed(TransportError(.aborted, "the connection was cut by this side")))
    }
  }

  func enqueue(_ packet: SimulatedPacket) {
    switch stage {
    case .connecting:
      guard closesOnOpen == nil else { return }
      queued.append(packet)
      queuedBytes += packet.byteCount
      visible.withLock { $0.bufferedBytes = queuedBytes }
      if queuedBytes > options.writeBudget { exceedBudget() }
    case .open: transmit(packet)
    case .closing, .closed: break
    }
  }

  func transmit(_ packet: SimulatedPacket) {
    guard let stream, case .open = stage else { return }
    stream.send(packet, from: side)
    let inFlight = stream.inFlight(from: side)
    visible.withLock { $0.bufferedBytes = inFlight }
    if inFlight > options.writeLowWaterMark { isAboveLowWater = true }
    if inFlight > options.writeBudget { exceedBudget() }
  }

  func exceedBudget() {
    network.loop.execute {
      if let stream = self.stream { stream.send(.reset, from: self.side) }
      self.end(
        .failed(
          TransportError(
            .writeBudgetExceeded, "the peer reads too slowly: more than \(self.options.writeBudget) bytes wait for it"))
      )
    }
  }

  func beginClosing(_ code: WebSocketCloseCode, _ reason: String) {
    stream?.send(.close(code, reason: String(reason.prefix(123))), from: side)
    // Only the peer's close frame is still read.
    setPaused(false)
    stage = .closing(code, reason: reason)
    network.loop.schedule(after: options.closeTimeout) { [weak self] in
      guard let self, case .closing = self.stage else { return }
      self.end(.closed(code: code, reason: reason, byPeer: false))
    }
  }

  func end(_ closure: WebSocketClosure) {
    if case .closed = stage { return }
    stage = .closed
    queued = []
    visible.withLock { $0.bufferedBytes = 0 }
    stream?.setEnd(nil, at: side)
    let handler = handler
    self.handler = nil
    onEnd?()
    onEnd = nil
    handler?.webSocket(self, didClose: closure)
  }
}
