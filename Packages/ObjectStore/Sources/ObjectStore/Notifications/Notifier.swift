import StorageEngine

/// Moves a view to new versions and calls its observers.
///
/// Used only where the view is confined to. A commit elsewhere schedules a pass there. Handlers of collections and
/// objects never run within a commit: they run in a pass, in ``RealmView/refresh()``, or before the next transaction
/// begins, and never while the view holds the write lock.
final class Notifier {
  private unowned let view: RealmView
  private var lastNumber = 0
  private var observers: [Int: any ChangeObserver] = [:]
  private var realmHandlers: [Int: (block: NotificationBlock, token: WeakToken)] = [:]
  let scheduler: Scheduler
  private let wakeSignal: WakeSignal
  private var observation: CommitObservation?
  private var isDelivering = false

  init(_ view: RealmView) {
    self.view = view
    scheduler = Scheduler(view.confinement)
    wakeSignal = WakeSignal(view, scheduler)
    guard !view.isFrozen else { return }
    do {
      observation = try view.file.store.observeCommits { [wakeSignal] _ in wakeSignal.signal() }
    } catch {
      log(.error, "\(view.configuration) reports changes only when it is refreshed. \(error)")
    }
  }

  // MARK: Observers

  /// Whether any handler is registered.
  var hasObservers: Bool { !observers.isEmpty || !realmHandlers.isEmpty }

  func observe(_ handler: @escaping NotificationBlock) -> NotificationToken {
    let number = nextNumber()
    let token = NotificationToken(end: onConfinement { $0.notifier.realmHandlers[number] = nil })
    realmHandlers[number] = (handler, WeakToken(token: token))
    return token
  }

  func observe(_ observer: any ChangeObserver) -> NotificationToken {
    let token = NotificationToken()
    register(observer, token)
    return token
  }

  /// Registers an observer under a token; an invalidated token registers nothing.
  func register(_ observer: any ChangeObserver, _ token: NotificationToken) {
    let number = nextNumber()
    observers[number] = observer
    observer.token = token
    let isValid = token.begin(onConfinement { $0.notifier.observers[number] = nil })
    guard isValid else { return observers[number] = nil }
    wakeSignal.signal()
  }

  private func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Wraps `work` so that it runs where the view is confined to: at once when called there, later otherwise, and not at
  /// all when the view is gone. Other threads take no reference to the view, which could turn out to be the last one.
  private func onConfinement(_ work: @escaping (RealmView) -> Void) -> () -> Void {
    let (confinement, scheduler) = (view.confinement, scheduler)
    let confinedWork = ConfinedWork(view: view.weakReference, work: work)
    return {
      if confinement.isCurrent { confinedWork.run() } else { scheduler.schedule { confinedWork.run() } }
    }
  }

  // MARK: Versions

  /// Schedules a pass, for observers that have not seen the newest version.
  func wake() { wakeSignal.signal() }

  /// Moves the view to the newest version where it refreshes by itself, and calls its observers.
  func runPass() {
    wakeSignal.clear()
    guard view.session == nil else { return }
    if view.autorefresh {
      _ = view.refresh()
    } else {
      deliver()
      let isBehind = view.reading(or: false) { try view.file.store.latestSnapshot().version != view.snapshot?.version }
      if isBehind { notifyRealmHandlers(.refreshRequired) }
    }
  }

  /// Moves to a version that was committed elsewhere.
  func move(to snapshot: Snapshot) throws {
    guard snapshot.version != view.snapshot?.version else { return deliver() }
    try view.advance(to: snapshot)
    notifyRealmHandlers(.didChange)
    deliver()
  }

  /// Takes over the version that the view itself committed.
  ///
  /// - Parameters:
  ///   - keepsRows: whether every row that lived before the commit still lives.
  ///   - tokens: registrations that are not called for this commit.
  func committed(_ snapshot: Snapshot, keepsRows: Bool, withoutNotifying tokens: [NotificationToken]) throws {
    let isNew = snapshot.version != view.snapshot?.version
    try view.advance(to: snapshot, keepsRows: keepsRows)
    for observer in observers.values {
      if let token = observer.token, tokens.contains(where: { $0 === token }) { observer.skip(to: snapshot) }
    }
    // Handlers of the realm are called for each of its own commits, also for one that changed nothing.
    notifyRealmHandlers(.didChange, except: tokens)
    if isNew, !observers.isEmpty { wakeSignal.signal() }
  }

  private func notifyRealmHandlers(_ notification: Realm.Notification, except tokens: [NotificationToken] = []) {
    guard !realmHandlers.isEmpty else { return }
    for (block, token) in realmHandlers.sorted(by: { $0.key < $1.key }).map(\.value)
    where !tokens.contains(where: { $0 === token.token }) {
      block(notification, Realm(view))
    }
  }

  /// Delivers at once if a pass is pending, so that no change is unreported when a transaction begins.
  func deliverPending() {
    if wakeSignal.isPending { deliver() }
  }

  /// Reports to every observer the changes since its last report. Stops when a handler moves the view or begins a
  /// transaction; the observers that are left are called by the pass that follows.
  func deliver() {
    guard !isDelivering, !observers.isEmpty, let snapshot = view.snapshot else { return }
    isDelivering = true
    defer { isDelivering = false }
    let changes = SnapshotChanges(view, snapshot)
    for number in observers.keys.sorted() {
      guard view.session == nil, view.snapshot === snapshot else { return }
      guard let observer = observers[number] else { continue }
      observer.deliver(snapshot, changes)
      if observer.isFinished { observers[number] = nil }
    }
  }
}

/// A token, referred to weakly: the registration does not keep it.
private struct WeakToken {
  weak var token: NotificationToken?
}

private struct ConfinedWork: @unchecked Sendable {
  // @unchecked: runs only where the view is confined to.
  let view: WeakView
  let work: (RealmView) -> Void

  func run() {
    if let view = view.view { work(view) }
  }
}

extension RealmView {
  /// Moves to the newest version, and delivers. False when the view is at it already, is frozen, or is in a
  /// transaction.
  func refresh() -> Bool {
    guard session == nil, !isFrozen else { return false }
    return reading(or: false) {
      let latest = try file.store.latestSnapshot()
      let isNewer = latest.version != snapshot?.version
      try notifier.move(to: latest)
      return isNewer
    }
  }
}
