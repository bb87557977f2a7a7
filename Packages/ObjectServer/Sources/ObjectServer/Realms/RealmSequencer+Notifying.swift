import Concurrency

/// Sessions learn that the history grew: authors by their acknowledgement, others by a scan that was made in advance or by
/// the event `historyAdvanced`. Sessions with queries are told of those commits only that may concern them.
extension RealmSequencer {
  /// Marks the sessions that have not seen the uploads of a job, and are to.
  ///
  /// - Complexity: O(*n*) in these sessions.
  func markUnseenHistory(of outcome: RealmJob.Outcome) {
    if outcome.isUncertain { unseen.formUnion(members.lazy.filter { $0.value.file != nil }.map(\.key)) }
    if !outcome.authors.isEmpty { unseen.formUnion(toldAlways.subtracting(outcome.authors)) }
    switch outcome.audience {
    case .everyone:
      guard !outcome.authors.isEmpty else { return }
      for (ident, member) in members where member.isWatched && !outcome.authors.contains(ident) { unseen.insert(ident) }
    case .files(let files):
      for file in files {
        for ident in membersByFile[file] ?? [] where !outcome.authors.contains(ident) { unseen.insert(ident) }
      }
    }
  }

  /// Marks the sessions that have not seen what the server wrote during the scans of a job, and are to. Behind the answers,
  /// of which one may be older.
  ///
  /// - Complexity: O(*n*) in these sessions.
  func markUnseenScans(of outcome: RealmJob.Outcome) {
    guard let audience = outcome.scanAudience else { return }
    unseen.formUnion(toldAlways)
    switch audience {
    case .everyone: unseen.formUnion(members.lazy.filter(\.value.isWatched).map(\.key))
    case .files(let files): for file in files { unseen.formUnion(membersByFile[file] ?? []) }
    }
  }

  /// Notifies the sessions with unseen history, or starts the timer that will.
  func notify(of outcome: RealmJob.Outcome) {
    guard !outcome.authors.isEmpty || !unseen.isEmpty else { return }
    let now = context.scheduler.now
    lagging.historyGrew(at: now)
    refreshLater()
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

  /// Notifies in the order of the connections; the order of the set would not be repeatable.
  private func notifyMembers() {
    let waiting = unseen.sorted { $0.precedes($1) }
    unseen = []
    for ident in waiting { members[ident]?.deliver(.historyAdvanced(ident.session)) }
  }

  /// Notifies every session of a commit that no session uploaded.
  func consumerCommitted() {
    unseen.formUnion(members.lazy.filter { $0.value.file != nil }.map(\.key))
    notify(of: RealmJob.Outcome())
  }

  /// Drops the scans that were made in advance and not asked for: their sessions cannot take anything now. Nothing is
  /// made in advance for them until they ask again.
  func dropPrepared() {
    for ident in prepared.keys {
      members[ident]?.nextScan = nil
      tellAlways(ident)
    }
    prepared = [:]
  }
}
