import Glibc
import StorageEngine
import Synchronization

/// Moves a view to new versions and tells those who observe.
///
/// Everything happens on the view's own thread or queue. A commit elsewhere only schedules a turn there. Handlers of
/// collections and objects never run within a commit: they run at the next turn, at ``RealmView/refresh()``, or when
/// the next transaction is about to begin, and never while the view keeps others from writing.
final class Notifier {
  private unowned let view: RealmView
  private let file: RealmFile
  private var next = 0
  private var observers: [Int: any ChangeObserver] = [:]
  private var realmHandlers: [Int: (block: NotificationBlock, token: WeakToken)] = [:]
  let scheduler: Scheduler
  private let isScheduled = ScheduledFlag()
  private var observation: CommitObservation?
  private var isDelivering = false

  init(_ view: RealmView) {
    self.view = view
    file = view.file
    scheduler = Scheduler(view.confinement)
    guard !view.isFrozen else { return }
    let wake = Wake(view, scheduler, isScheduled)
    do {
      observation = try view.file.store.observeCommits { _ in wake.wake() }
    } catch {
      log(.error, "\(view.configuration) tells of changes only when it is refreshed. \(error)")
    }
  }

  // MARK: Observers

  /// Whether anybody is to be told of versions.
  var isHeard: Bool { !observers.isEmpty || !realmHandlers.isEmpty }

  func observe(_ handler: @escaping NotificationBlock) -> NotificationToken {
    next += 1
    let number = next
    let token = token { $0.realmHandlers[number] = nil }
    realmHandlers[number] = (handler, WeakToken(token: token))
    return token
  }

  func observe(_ observer: any ChangeObserver) -> NotificationToken {
    let token = NotificationToken()
    register(observer, token)
    return token
  }

  /// Registers an observer under a token that may have been invalidated meanwhile.
  func register(_ observer: any ChangeObserver, _ token: NotificationToken) {
    next += 1
    let number = next
    observers[number] = observer
    observer.token = token
    let isValid = token.begin(atHome { $0.notifier.observers[number] = nil })
    guard isValid else { return observers[number] = nil }
    Wake(view, scheduler, isScheduled).wake()
  }

  private func token(_ end: @escaping (Notifier) -> Void) -> NotificationToken {
    NotificationToken(end: atHome { end($0.notifier) })
  }

  /// What runs `work` on the view's thread or queue, if somebody holds the view then: now when called there, later
  /// otherwise. No other thread takes a reference to the view, which could turn out the last one.
  private func atHome(_ work: @escaping (RealmView) -> Void) -> () -> Void {
    let (confinement, scheduler) = (view.confinement, scheduler)
    let homeWork = HomeWork(weakly: view.weakly, work: work)
    return {
      if confinement.isCurrent { homeWork.run() } else { scheduler.schedule { homeWork.run() } }
    }
  }

  // MARK: Versions

  /// A turn of the view's run loop or queue after something happened.
  func turn() {
    isScheduled.clear()
    guard view.session == nil else { return }
    if view.autorefresh {
      _ = view.refresh()
    } else {
      deliver()
      let isBehind = view.reading(or: false) { try view.file.store.latestSnapshot().version != view.snapshot?.version }
      if isBehind { tellRealmHandlers(.refreshRequired) }
    }
  }

  /// Moves to a version that somebody else made.
  func move(to snapshot: Snapshot) throws {
    guard snapshot.version != view.snapshot?.version else { return deliver() }
    try view.advance(to: snapshot)
    tellRealmHandlers(.didChange)
    deliver()
  }

  /// Takes over the version that the view itself committed.
  ///
  /// - Parameter keepsRows: whether what lives now is known to live there.
  func committed(_ snapshot: Snapshot, keepsRows: Bool, withoutNotifying tokens: [NotificationToken]) throws {
    let isNew = snapshot.version != view.snapshot?.version
    try view.advance(to: snapshot, keepsRows: keepsRows)
    for observer in observers.values {
      if let token = observer.token, tokens.contains(where: { $0 === token }) { observer.skip(to: snapshot) }
    }
    // Handlers of the realm hear of every commit of its own, also of one that changed nothing.
    tellRealmHandlers(.didChange, except: tokens)
    if isNew, !observers.isEmpty { Wake(view, scheduler, isScheduled).wake() }
  }

  private func tellRealmHandlers(_ notification: Realm.Notification, except tokens: [NotificationToken] = []) {
    guard !realmHandlers.isEmpty else { return }
    for (block, token) in realmHandlers.sorted(by: { $0.key < $1.key }).map(\.value)
    where !tokens.contains(where: { $0 === token.token }) {
      block(notification, Realm(view))
    }
  }

  /// Schedules a turn, for observers that did not hear of everything.
  func wake() { Wake(view, scheduler, isScheduled).wake() }

  /// Tells what waits for the next turn, so that a transaction begins with nothing untold.
  func deliverWhatIsDue() {
    if isScheduled.isSet { deliver() }
  }

  /// Tells every observer what happened since it heard last.
  func deliver() {
    guard !isDelivering, !observers.isEmpty, let snapshot = view.snapshot else { return }
    isDelivering = true
    defer { isDelivering = false }
    let changes = SnapshotChanges(view, snapshot)
    for number in observers.keys.sorted() {
      guard view.session == nil, view.snapshot === snapshot else { return }
      guard let observer = observers[number] else { continue }
      observer.deliver(snapshot, changes)
      if observer.isOver { observers[number] = nil }
    }
  }
}

/// A token that its handler does not keep.
private struct WeakToken {
  weak var token: NotificationToken?
}

/// Something that wants to know what happens to an object or collection.
protocol ChangeObserver: AnyObject {
  var token: NotificationToken? { get set }
  /// Whether nothing more can happen.
  var isOver: Bool { get }
  /// Takes note of a version without telling.
  func skip(to snapshot: Snapshot)
  /// Tells what happened since the last version told or skipped.
  func deliver(_ snapshot: Snapshot, _ changes: SnapshotChanges)
}

/// Whether a turn is on its way, so that many commits make one.
final class ScheduledFlag: Sendable {
  private let flag = Atomic<Bool>(false)
  /// Sets the flag; true when it was not set.
  func set() -> Bool {
    flag.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
  }
  var isSet: Bool { flag.load(ordering: .acquiring) }
  func clear() { flag.store(false, ordering: .releasing) }
}

private struct HomeWork: @unchecked Sendable {
  // @unchecked: run where the view is at home only.
  let weakly: WeakView
  let work: (RealmView) -> Void

  func run() {
    if let view = weakly.view { work(view) }
  }
}

/// Schedules a turn of a view, from any thread.
struct Wake: Sendable {
  private let weakly: WeakView
  let scheduler: Scheduler
  private let isScheduled: ScheduledFlag

  init(_ view: RealmView, _ scheduler: Scheduler, _ isScheduled: ScheduledFlag) {
    weakly = view.weakly
    self.scheduler = scheduler
    self.isScheduled = isScheduled
  }

  func wake() {
    guard isScheduled.set() else { return }
    let copy = self
    scheduler.schedule {
      guard let view = copy.weakly.view else { return }
      view.notifier.turn()
    }
  }
}

extension RealmView {
  /// Moves to the newest version; returns whether there was one.
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

extension Notifier {
  func schedule(_ work: @escaping @Sendable () -> Void) { scheduler.schedule(work) }
}
