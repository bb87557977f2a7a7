import Telemetry

extension EventDispatcher {
  /// Takes the outcome of a run.
  func finished(_ key: Key, _ outcome: RealmDelivery.Outcome) {
    guard var entry = entries[key] else { return }
    let isAgain = if case .running(again: true) = entry.stage { true } else { false }
    switch outcome {
    case .gone:
      entries[key] = nil
    case .idle, .stopped:
      (entry.failures, entry.waits) = (0, 0)
      entry.stage = .idle
      entries[key] = entry
      evict()
    case .unavailable(let error):
      entry.waits += 1
      if entry.waits == 1 {
        logger.info(
          "a realm cannot be had for an event handler and is asked for again",
          [
            "handler": .string(configuration.handlers[key.handler].name), "path": .string(key.path.description),
            "reason": .string(error.reason),
          ])
      }
      entry.stage = .waiting(later(error.delay ?? waits.delay(after: min(entry.waits, waits.numberOfRetries)), key))
      entries[key] = entry
    case .failed(let error, let hasHandled):
      entry.failures = hasHandled ? 1 : entry.failures + 1
      entry.stage = stage(after: entry.failures, key, error)
      entries[key] = entry
      // A realm that is not worked on costs no memory, however many of them fail at a time.
      if entries.count > configuration.maximumReplicas { entry.delivery.rest() }
    }
    switch outcome {
    case .failed, .unavailable: break
    case .gone, .idle, .stopped: if isAgain { wake(key) }
    }
    settle()
  }

  /// Decides what follows a failure.
  private func stage(after failures: Int, _ key: Key, _ error: any Error) -> Stage {
    let fields: LogFields = [
      "handler": .string(configuration.handlers[key.handler].name), "path": .string(key.path.description),
      "failures": LogValue(failures), "reason": .string("\(error)"),
    ]
    guard let delay = retries.delay(after: failures) else {
      logger.error("an event handler fails on a realm, which is quarantined for it", fields)
      observers[key.handler].quarantined.add(1)
      return .quarantined("\(error)")
    }
    logger.warn("an event handler failed and is called again", fields)
    return .waiting(later(delay, key))
  }

  /// Runs the delivery again after a time.
  private func later(_ delay: Duration?, _ key: Key) -> Task<Void, Never> {
    let delay = delay ?? configuration.longestRetryDelay
    return Task {
      try? await Task.sleep(for: delay)
      retry(key)
    }
  }

  private func retry(_ key: Key) {
    guard case .waiting? = entries[key]?.stage else { return }
    entries[key]?.stage = .idle
    wake(key)
    settle()
  }

  /// Lets go of the copies that were used least lately.
  private func evict() {
    guard entries.count > configuration.maximumReplicas else { return }
    let idle = entries.filter { if case .idle = $0.value.stage { true } else { false } }
    for (key, _) in idle.sorted(by: { $0.value.lastUse < $1.value.lastUse }).prefix(
      entries.count - configuration.maximumReplicas)
    {
      entries[key] = nil
    }
  }
}
