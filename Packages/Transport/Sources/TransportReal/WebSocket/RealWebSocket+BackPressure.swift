/// Pausing and resuming of the reading.
extension RealWebSocket {
  func pauseReading() {
    loop.executeNowOrSoon {
      self.isPaused = true
      self.account?.pause()
      if case .open = self.stage { self.stream?.stopReading() }
    }
  }

  func resumeReading() {
    loop.executeNowOrSoon {
      guard self.isPaused else { return }
      self.isPaused = false
      self.readAgain()
    }
  }

  /// Reads again, from the loop: no message arrives within the call that resumes.
  func readAgain() {
    loop.execute {
      guard !self.isPaused else { return }
      switch self.stage {
      case .connecting, .closed: return
      case .open, .closing: break
      }
      self.takeEvents()
      self.account?.hold(self.decoder.bufferedBytes, received: 0)
      if !self.isPaused { self.stream?.startReading() }
    }
  }
}
