extension EventDispatcher {
  /// The realms that handlers fail on, by handler and path.
  func quarantined() -> [QuarantinedRealm] {
    entries.compactMap { key, entry in
      guard case .quarantined(let reason) = entry.stage else { return nil }
      return QuarantinedRealm(
        path: key.path.description, handler: configuration.handlers[key.handler].name, reason: reason)
    }.sorted { ($0.handler, $0.path) < ($1.handler, $1.path) }
  }

  /// Takes a realm out of quarantine.
  ///
  /// - Parameter skipping: whether the transaction that the handler failed on is passed over.
  /// - Returns: whether it was in quarantine.
  func release(_ path: String, handler: String, skipping: Bool) -> Bool {
    for (key, entry) in entries
    where key.path.description == path && configuration.handlers[key.handler].name == handler {
      guard case .quarantined = entry.stage else { continue }
      observers[key.handler].quarantined.add(-1)
      if skipping { entry.delivery.skip() }
      entries[key]?.failures = 0
      entries[key]?.stage = .idle
      wake(key)
      return true
    }
    return false
  }

  /// The names of the handlers whose patterns matched no realm yet.
  func handlersWithoutRealms() -> [String] {
    configuration.handlers.indices.filter { !matched.contains($0) }.map { configuration.handlers[$0].name }
  }
}
