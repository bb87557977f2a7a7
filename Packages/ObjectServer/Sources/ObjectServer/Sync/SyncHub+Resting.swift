import Telemetry
import Transport

extension SyncHub {
  /// A realm has nothing to do. Its files are closed when that stays so, or when too many others are open.
  func realmRests(_ realm: RealmSequencer, _ number: UInt64) {
    guard !isStopping else { return }
    resting.add(realm, number: number, at: scheduler.now)
    for (number, realm) in resting.takeExcess(over: configuration.maximumOpenRealms) { rest(realm, number) }
    scheduleRest()
  }

  private func scheduleRest() {
    guard restTimer == nil, let earliest = resting.earliest else { return }
    // Those that come to rest soon after each other are closed together.
    let due = configuration.realmIdleTimeout - (scheduler.now - earliest)
    restTimer = scheduler.schedule(after: max(due, min(configuration.realmIdleTimeout, .milliseconds(250)))) {
      [weak self] in
      guard let self else { return }
      restTimer = nil
      closeRested()
    }
  }

  private func closeRested() {
    guard !isStopping else { return }
    var closed = 0
    let due = resting.takeDue(at: scheduler.now, after: configuration.realmIdleTimeout)
    for (number, realm) in due where rest(realm, number) { closed += 1 }
    scheduleRest()
    closedRealms += closed
    guard closedRealms >= Self.realmsWorthReleasing || (resting.isEmpty && closedRealms > 0) else { return }
    closedRealms = 0
    context.perform(.upkeep) { [stores] in
      stores.releaseMemory()
    } then: { _ in
    }
  }

  /// Memory is given back after so many realms were closed, or all of them.
  private static let realmsWorthReleasing = 16

  @discardableResult
  private func rest(_ realm: RealmSequencer, _ number: UInt64) -> Bool {
    // What is at work now comes back when it rests.
    guard realm.isOpen, realm.isResting else { return false }
    if realm.closeWhileResting() { return true }
    // A client is being brought up: looked at again later.
    resting.add(realm, number: number, at: scheduler.now)
    return false
  }
}
