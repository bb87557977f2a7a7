import StorageEngine
import Synchronization

/// Carries something live to another thread, queue or actor, where ``Realm/resolve(_:)`` makes it live again.
///
///     let reference = ThreadSafeReference(to: person)
///     queue.async {
///       guard let realm = try? Realm(queue: queue) else { return }
///       print(realm.resolve(reference)?.name ?? "deleted meanwhile")
///     }
///
/// Keeps its version of the file readable until it is resolved or released; resolved once. One that is made within a write
/// transaction leads to what the transaction created as soon as that is committed.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let box: ReferenceBox<Confined>

  /// Refers to something managed and valid; anything else stops the program.
  public init(to threadConfined: Confined) { box = ReferenceBox(threadConfined) }

  /// Whether the reference was resolved and is of no use any more.
  public var isInvalidated: Bool { box.isEmpty }

  /// What is referred to, live in a view.
  func resolve(in view: RealmView) -> Confined? { box.take().live(in: view) }
}

/// Something carried, taken out once.
private final class ReferenceBox<Confined: ThreadConfined>: Sendable {
  private let slot: Mutex<Carried<Confined>?>

  init(_ value: Confined) {
    rule(
      value.realm != nil, "Cannot construct reference to unmanaged object, which can be passed across threads directly."
    )
    rule(!value.isInvalidated, "Cannot construct reference to invalidated object.")
    slot = Mutex(Carried(value))
  }

  var isEmpty: Bool { slot.withLock { $0 == nil } }

  func take() -> Carried<Confined> {
    let taken = slot.withLock { slot in
      let taken = slot
      slot = nil
      return taken
    }
    guard let taken else { violated("Can only resolve a thread safe reference once.") }
    return taken
  }
}

extension Realm {
  /// What a reference of another thread, queue or actor refers to, live in this realm; nil when it was deleted
  /// meanwhile, when what created it is not committed, and in a realm of another file. The realm moves to the reference's
  /// version when it is older.
  ///
  /// A second time, or within a write transaction: stops the program.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    view.checkConfinement()
    rule(!view.isFrozen, "Cannot resolve a thread safe reference in a frozen Realm.")
    rule(view.session == nil, "Cannot resolve a thread safe reference within a write transaction.")
    return reference.resolve(in: view)
  }
}
