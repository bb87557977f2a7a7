import Synchronization

/// The live views of this process, held weakly: opening a realm twice on one thread gives one view.
final class RealmViews: Sendable {
  // AnyHashable is not Sendable; keys hold strings and object identifiers only.
  private struct Key: Hashable, @unchecked Sendable {
    let file: ObjectIdentifier
    let home: AnyHashable
  }
  private let views = Mutex<[Key: WeakView]>([:])

  static let shared = RealmViews()

  func view(_ file: RealmFile, _ confinement: Confinement) -> RealmView? {
    let key = Key(file: ObjectIdentifier(file), home: confinement.identity)
    return views.withLock { $0[key] }?.view
  }

  func add(_ view: RealmView) {
    let key = Key(file: ObjectIdentifier(view.file), home: view.confinement.identity)
    views.withLock { views in
      views = views.filter { $0.value.view != nil }
      views[key] = view.weakly
    }
  }
}
