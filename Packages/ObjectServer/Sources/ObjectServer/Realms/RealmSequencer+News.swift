import Transport

/// Sessions hear that the history grew: authors with their acknowledgement, others when there is a scan for them anyway, or
/// by an event of their own.
extension RealmSequencer {
  /// Notes who does not know yet what the uploads of a job brought.
  func noteUntold(of outcome: RealmJob.Outcome) {
    guard !outcome.authors.isEmpty else { return }
    for (ident, member) in members where member.file != nil && !outcome.authors.contains(ident) {
      members[ident]?.isUntold = true
    }
  }

  /// Tells those who do not know yet, or has them wait for it.
  func tell(of outcome: RealmJob.Outcome) {
    guard !outcome.authors.isEmpty else { return }
    let now = context.scheduler.now
    guard newsPause.holds(outcome.integratedChangesets, at: now) else {
      newsPause.told(outcome.integratedChangesets, at: now)
      return tellUntold()
    }
    guard !newsPause.isTimed else { return }
    newsPause.isTimed = true
    context.scheduler.schedule(after: newsPause.remaining(at: now)) { [weak self] in
      guard let self else { return }
      newsPause.isTimed = false
      newsPause.begin(at: context.scheduler.now)
      tellUntold()
    }
  }

  private func tellUntold() {
    for (ident, member) in ordered() where member.isUntold {
      members[ident]?.isUntold = false
      member.deliver(.historyAdvanced(ident.session))
    }
  }
}
