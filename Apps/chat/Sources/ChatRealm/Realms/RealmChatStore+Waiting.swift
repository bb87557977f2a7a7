import ChatCore
import Dispatch
import RealmSwift

extension RealmChatStore {
  func wait(for direction: WaitDirection, seconds: Double, isPatient: Bool) -> WaitOutcome {
    guard isSynced, !isOffline else { return .notSyncing }
    let deadline = DispatchTime.now() + max(0, min(seconds, 86_400))
    var outcome = waitForSessions(direction, until: deadline, isPatient: isPatient)
    // The undoing of refused writes comes before the answer to a later question.
    if direction == .upload, outcome == .done {
      outcome = waitForSessions(.download, until: deadline, isPatient: isPatient)
    }
    guard outcome == .done else { return outcome }
    switch direction {
    case .upload:
      // A message counts as sent when the server has not undone it.
      return poll(until: deadline, isPatient: isPatient) {
        queue.sync { () -> WaitOutcome? in
          takeRefusals()
          guard !realms.outbox.objects(Outgoing.self).isEmpty else { return refusals.hasNews ? nil : .done }
          confirmOutbox()
          return nil
        }
      }
    case .download:
      let served = poll(until: deadline, isPatient: isPatient) {
        queue.sync { () -> WaitOutcome? in
          realms.refresh()
          followRooms()
          if let problem = subscriptionProblem { return .failed(problem) }
          return isServed ? .done : nil
        }
      }
      if served == .done { queue.sync { introduce() } }
      return served
    }
  }

  private func waitForSessions(
    _ direction: WaitDirection, until deadline: DispatchTime, isPatient: Bool
  ) -> WaitOutcome {
    for session in sessions {
      let done = DispatchSemaphore(value: 0)
      session.wait(for: direction == .upload ? .upload : .download, queue: nil) { error in
        if error == nil { done.signal() }
      }
      let outcome = poll(until: deadline, isPatient: isPatient) {
        let status = session.status
        if done.wait(timeout: .now()) == .success { return .done }
        // The process that syncs the file says nothing of its waits.
        if status.isSyncedElsewhere, direction == .download || status.pendingUploads == 0 { return .done }
        return nil
      }
      guard outcome == .done else { return outcome }
    }
    return .done
  }

  /// Asks every 20 ms until there is an answer, a session has failed, or time is up.
  private func poll(
    until deadline: DispatchTime, isPatient: Bool, _ answer: () -> WaitOutcome?
  ) -> WaitOutcome {
    let pause = DispatchSemaphore(value: 0)
    while true {
      if let answer = answer() { return answer }
      let statuses = sessions.map(\.status)
      for case let error? in statuses.map(\.lastError) where error.isFatal {
        return .failed(.init(error))
      }
      let isOver = DispatchTime.now() >= deadline
      if !isPatient || isOver, let obstacle = Self.obstacle(statuses) { return obstacle }
      guard !isOver else { return Self.lateness(statuses) }
      _ = pause.wait(timeout: .now() + .milliseconds(20))
    }
  }

  /// The reason why a wait cannot end well before an attempt to connect succeeds; nil while one is under way.
  private static func obstacle(_ statuses: [SyncStatus]) -> WaitOutcome? {
    let errors = statuses.filter { $0.connection == .disconnected }.compactMap(\.lastError)
    if let error = errors.first(where: { $0.code != .connectionFailed }) {
      return .notServed(.init(error))
    }
    return errors.isEmpty ? nil : .disconnected
  }

  /// The outcome when time is up and there is no error.
  private static func lateness(_ statuses: [SyncStatus]) -> WaitOutcome {
    if statuses.contains(where: \.isSyncedElsewhere) {
      return .notServed(
        .init("another running chat syncs this device, and is not done", remedy: "look at its status line"))
    }
    return statuses.allSatisfy { $0.connection == .connected } ? .timedOut : .disconnected
  }

  /// Puts the user into the directory, unless that has happened on some device. On the queue.
  func introduce() {
    let directory = realms.directory
    directory.refresh()
    guard directory.object(ofType: Person.self, forPrimaryKey: me.id) == nil else { return }
    try? directory.write { _ = directory.create(Person.self, value: ["_id": me.id, "name": me.name]) }
  }
}
