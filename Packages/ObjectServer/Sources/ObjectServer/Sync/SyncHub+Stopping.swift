import Concurrency

extension SyncHub {
  /// Waits a second for queued uploads to become durable and answered, then closes every connection and every realm.
  /// Clients upload again what was not answered.
  func stop(_ completion: @escaping @Sendable () -> Void) {
    isStopping = true
    idleTimer?.cancel()
    let open = realms.sorted { $0.key.description < $1.key.description }.map(\.value)
    let settled = CountdownLatch(open.count) { [self] in closeConnections(completion) }
    for realm in open { realm.afterWork { settled.countDown() } }
    scheduler.schedule(after: .seconds(1)) { [self] in closeConnections(completion) }
  }

  private func closeConnections(_ completion: @escaping @Sendable () -> Void) {
    guard !isClosing else { return }
    isClosing = true
    graphQL?.stop()
    let connections = ordered()
    let finish: @Sendable () -> Void = { [self] in closeRealms(completion) }
    guard !connections.isEmpty else { return finish() }
    whenEmpty = finish
    for connection in connections { connection.handle(.shutDown) }
    scheduler.schedule(after: configuration.stopGrace) { [self] in
      for connection in ordered() { connection.socket?.abort() }
    }
  }

  private func closeRealms(_ completion: @escaping @Sendable () -> Void) {
    let open = realms.sorted { $0.key.description < $1.key.description }.map(\.value)
    realms = [:]
    let closed = CountdownLatch(open.count, completion)
    for realm in open { realm.afterWork { realm.close { closed.countDown() } } }
  }
}
