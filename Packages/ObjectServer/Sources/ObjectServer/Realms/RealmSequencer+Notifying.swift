import Concurrency

/// Sessions learn that the history grew: authors by their acknowledgement, others by a scan that was made in advance or by
/// the event `historyAdvanced`.
extension RealmSequencer {
  /// Marks the sessions that have not seen the uploads of a job.
  ///
  /// - Complexity: O(sessions).
  func markUnseenHistory(of outcome: RealmJob.Outcome) {
    guard !outcome.authors.isEmpty else { return }
    for (ident, member) in members where member.file != nil && !outcome.authors.contains(ident) {
      members[ident]?.hasUnseenHistory = true
    }
  }

  /// Notifies the sessions with unseen history, or starts the timer that will.
  func notify(of outcome: RealmJob.Outcome) {
    guard !outcome.authors.isEmpty else { return }
    let now = context.scheduler.now
    guard notificationBatcher.delays(outcome.integratedChangesets, at: now) else {
      notificationBatcher.notified(of: outcome.integratedChangesets, at: now)
      return notifyMembers()
    }
    guard !notificationBatcher.hasTimer else { return }
    notificationBatcher.hasTimer = true
    context.scheduler.schedule(after: notificationBatcher.remaining(at: now)) { [weak self] in
      guard let self else { return }
      notificationBatcher.hasTimer = false
      notificationBatcher.beginInterval(at: context.scheduler.now)
      notifyMembers()
    }
  }

  private func notifyMembers() {
    for (ident, member) in ordered() where member.hasUnseenHistory {
      members[ident]?.hasUnseenHistory = false
      member.deliver(.historyAdvanced(ident.session))
    }
  }
}
