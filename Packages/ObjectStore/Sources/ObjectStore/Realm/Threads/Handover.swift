import StorageEngine

/// An object or collection in the form in which it crosses threads: a frozen copy, from which it can be made live again
/// any number of times.
///
/// Within a write transaction the frozen copy shows the state before it. An object that the transaction created is
/// missing in the copy, and can be made live once the transaction is committed.
struct Handover<T: ThreadConfined>: @unchecked Sendable {
  // @unchecked: frozen objects and collections may be read from any thread.
  private let frozen: T

  /// - Parameter value: a managed object or collection.
  init(_ value: T) { frozen = HandoverScope.$isOn.withValue(true) { value.freeze() } }

  /// The value, live in a view, which first moves to the value's version when it is older; nil when the value was
  /// deleted, is not committed, or belongs to another file.
  func live(in view: RealmView) -> T? {
    guard let from = frozen.realm?.view, from.file === view.file else { return nil }
    var version = from.snapshot?.version
    if let outcome = from.outcome, outcome !== view.session?.outcome {
      let committed = outcome.version
      if committed == nil, frozen.isInvalidated { return nil }
      version = committed ?? version
    }
    if let version, let shown = view.snapshot, shown.version < version { _ = view.refresh() }
    return ThawTarget.with(view) { frozen.thaw() }
  }

  /// The value, live on the calling thread, queue or actor.
  func liveOnThisThread() -> T? { (frozen.realm?.view.thawed()).flatMap { live(in: $0) } }
}

/// Marks the freezing of a value for a handover, which may be of an object that the open transaction created.
enum HandoverScope {
  @TaskLocal static var isOn = false
}
