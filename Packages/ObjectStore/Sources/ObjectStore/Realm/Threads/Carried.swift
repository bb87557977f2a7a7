import StorageEngine
import Synchronization

/// Something live in the form in which it crosses threads: frozen, and live again as often as one likes.
///
/// What was carried off within a write transaction is frozen as it was before; what the transaction created is not there
/// then, and lives once the transaction is committed.
struct Carried<T: ThreadConfined>: @unchecked Sendable {
  // @unchecked: frozen values may be read from any thread.
  private let frozen: T

  /// - Parameter value: something managed.
  init(_ value: T) { frozen = Carrying.$isOn.withValue(true) { value.freeze() } }

  /// What is carried, live in a view, which moves to the version of what is carried when it is older; nil when it is gone.
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

  /// What is carried, live where code runs now.
  func liveHere() -> T? { (frozen.realm?.view.thawed()).flatMap { live(in: $0) } }
}

/// Whether something is frozen in order to be carried: what an open transaction created may then be missing.
enum Carrying {
  @TaskLocal static var isOn = false
}
