import Synchronization
import RecordStore

/// Passes an object or collection of a realm to another thread, queue or actor, where ``Realm/resolve(_:)`` makes it
/// live.
///
///     let reference = ThreadSafeReference(to: person)
///     queue.async {
///       guard let realm = try? Realm(queue: queue) else { return }
///       print(realm.resolve(reference)?.name ?? "deleted meanwhile")
///     }
///
/// A reference resolves once. It keeps its version of the file readable until it is resolved or released. A reference
/// made within a write transaction resolves to objects that the transaction created as soon as that is committed.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let box: ReferenceBox<Confined>

  /// Refers to a managed, valid object or collection. Any other stops the program.
  public init(to threadConfined: Confined) { box = ReferenceBox(threadConfined) }

  /// Whether the reference was resolved and cannot be resolved again.
  public var isInvalidated: Bool { box.isEmpty }

  /// The object or collection, live in a view.
  func resolve(in view: RealmView) -> Confined? { box.take().live(in: view) }
}

/// A handover that can be taken once.
private final class ReferenceBox<Confined: ThreadConfined>: Sendable {
  private let slot: Mutex<Handover<Confined>?>

  init(_ value: Confined) {
    rule(
      value.realm != nil, "Cannot construct reference to unmanaged object, which can be passed across threads directly."
    )
    rule(!value.isInvalidated, "Cannot construct reference to invalidated object.")
    slot = Mutex(Handover(value))
  }

  var isEmpty: Bool { slot.withLock { $0 == nil } }

  func take() -> Handover<Confined> {
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
  /// The object or collection of a reference, live in this realm; nil when it was deleted, when the transaction that
  /// created it is not committed, and in a realm of another file. A realm that is older than the reference moves to its
  /// version.
  ///
  /// Resolving a reference twice, in a frozen realm, or within a write transaction stops the program.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    view.checkConfinement()
    rule(!view.isFrozen, "Cannot resolve a thread safe reference in a frozen Realm.")
    rule(view.session == nil, "Cannot resolve a thread safe reference within a write transaction.")
    return reference.resolve(in: view)
  }
}
