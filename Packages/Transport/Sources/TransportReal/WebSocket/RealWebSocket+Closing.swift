import Transport

/// The closing handshake, failures and the end.
extension RealWebSocket {
  func close(code: WebSocketCloseCode, reason: String) {
    loop.executeNowOrSoon {
      switch self.stage {
      case .connecting: if self.closesOnOpen == nil { self.closesOnOpen = (code, reason) }
      case .open: self.beginClosing(code, reason)
      case .closing, .closed: break
      }
    }
  }

  /// Ends the connection before its opening.
  func fail(_ error: TransportError) { loop.execute { self.end(.failed(error)) } }

  func abort() {
    loop.execute { self.end(.failed(TransportError(.aborted, "the connection was cut by this side"))) }
  }

  func beginClosing(_ code: WebSocketCloseCode, _ reason: String) {
    stream?.write(encoder.close(code, reason: reason))
    stage = .closing(code, reason: reason)
    // Only the peer's close frame is still read.
    decoder.discardMessages()
    waitingPong = nil
    isPaused = false
    readAgain()
    timer = loop.schedule(after: options.closeTimeout) { [weak self] in
      guard let self, case .closing = self.stage else { return }
      self.end(.closed(code: code, reason: reason, byPeer: false))
    }
  }

  /// Ends the connection after its queued bytes were sent.
  func finish(_ closure: WebSocketClosure) {
    stream?.finish()
    stream = nil
    end(closure)
  }

  func end(_ closure: WebSocketClosure) {
    if case .closed = stage { return }
    stage = .closed
    account?.close()
    timer?.cancel()
    timer = nil
    opening?.cancel()
    opening = nil
    stream?.abort()
    stream = nil
    queued = []
    visible.withLock { $0.bufferedBytes = 0 }
    let handler = handler
    self.handler = nil
    let onEnd = onEnd
    self.onEnd = nil
    onEnd?()
    handler?.webSocket(self, didClose: closure)
  }
}
