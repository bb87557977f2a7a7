import ChangesetOT
import Concurrency
import Telemetry

/// Sessions with queries that the store watches for: commits that do not concern them cost nothing for them.
extension RealmSequencer {
  /// Takes the answer to a scan: at the end of the history, a session with queries is watched from there on.
  func scanned(_ scan: DownloadScan, _ ident: MemberIdent) {
    guard var member = members[ident] else { return }
    member.isScanning = false
    member.nextScan = member.nextScan?.following(scan)
    let isAtEnd = scan.reachedEnd && scan.batch?.state == .steady
    if let file = member.file, isAtEnd, isOpen, !departed.contains(file) {
      member.isWatched = true
      member.watchedSince = context.scheduler.now
      toldAlways.remove(ident)
      if !member.isQueued { lagging.add(ident, at: member.watchedSince) }
      member.isQueued = true
    } else if member.file != nil {
      member.isWatched = false
      toldAlways.insert(ident)
    }
    members[ident] = member
  }

  /// Records that a session is told of every commit from now on.
  func tellAlways(_ ident: MemberIdent) {
    guard members[ident]?.file != nil else { return }
    members[ident]?.isWatched = false
    toldAlways.insert(ident)
  }

  /// Records that sessions of a file began or ended: what the store watches for it is forgotten before the next job.
  func depart(_ file: FileIdent) {
    departed.insert(file)
    for ident in membersByFile[file] ?? [] { tellAlways(ident) }
  }

  /// Records that the store watches for nobody any more.
  func watchNobody() {
    for ident in members.keys { tellAlways(ident) }
    departed = []
  }

  // MARK: Sessions that fall behind

  /// Starts the timer that brings sessions to the end of the history that nothing has concerned for long.
  func refreshLater() {
    guard let delay = lagging.startTimer(at: context.scheduler.now) else { return }
    context.scheduler.schedule(after: delay) { [weak self] in
      guard let self else { return }
      refreshLagging()
      refreshLater()
    }
  }

  private func refreshLagging() {
    let now = context.scheduler.now
    for ident in lagging.takeDue(at: now) {
      guard let member = members[ident], member.isWatched else {
        members[ident]?.isQueued = false
        continue
      }
      guard now - member.watchedSince >= LaggingMembers.patience else {
        lagging.add(ident, at: member.watchedSince)
        continue
      }
      lagging.add(ident, at: now)
      member.deliver(.historyAdvanced(ident.session))
    }
  }
}
