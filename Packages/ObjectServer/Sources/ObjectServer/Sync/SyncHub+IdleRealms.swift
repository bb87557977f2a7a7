import Concurrency
import Telemetry

extension SyncHub {
  /// Registers an idle realm. Its files are closed when it stays idle, or when too many others are open.
  func realmBecameIdle(_ realm: RealmSequencer, _ number: UInt64) {
    guard !isStopping else { return }
    idleRealms.add(realm, number: number, at: scheduler.now)
    for (number, realm) in idleRealms.takeExcess(over: configuration.maximumOpenRealms) { close(realm, number) }
    startIdleTimer()
  }

  private func startIdleTimer() {
    guard idleTimer == nil, let earliest = idleRealms.earliest else { return }
    // Realms that became idle soon after each other are closed together.
    let due = configuration.realmIdleTimeout - (scheduler.now - earliest)
    let delay = max(due, min(configuration.realmIdleTimeout, .milliseconds(250)))
    idleTimer = scheduler.schedule(after: delay) { [weak self] in
      guard let self else { return }
      idleTimer = nil
      closeIdleRealms()
    }
  }

  private func closeIdleRealms() {
    guard !isStopping else { return }
    let due = idleRealms.takeDue(at: scheduler.now, after: configuration.realmIdleTimeout)
    for (number, realm) in due where close(realm, number) { closedRealms += 1 }
    startIdleTimer()
    guard closedRealms >= Self.realmsPerRelease || (idleRealms.isEmpty && closedRealms > 0) else { return }
    closedRealms = 0
    context.perform(.maintenance) { [stores] in
      stores.releaseMemory()
    } then: { _ in
    }
  }

  /// Memory is returned to the system after this many realms were closed, or all of them.
  private static let realmsPerRelease = 16

  @discardableResult
  private func close(_ realm: RealmSequencer, _ number: UInt64) -> Bool {
    // A realm in use is registered again when it becomes idle.
    guard realm.isOpen, realm.isIdle else { return false }
    if realm.closeIfIdle() { return true }
    // A bootstrap is under way: tried again later.
    idleRealms.add(realm, number: number, at: scheduler.now)
    return false
  }
}
