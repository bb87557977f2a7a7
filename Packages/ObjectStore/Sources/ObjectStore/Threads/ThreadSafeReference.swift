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
/// Keeps its version of the file readable until it is resolved or released; resolved once.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let box: ReferenceBox<Confined>

  /// Refers to something managed and valid; anything else stops the program.
  public init(to threadConfined: Confined) { box = ReferenceBox(threadConfined) }

  /// Whether the reference was resolved and is of no use any more.
  public var isInvalidated: Bool { box.isEmpty }

  /// What is referred to, live in a view.
  func resolve(in view: RealmView) -> Confined? { box.resolve(in: view) }
}

/// A frozen value, taken out once.
private final class ReferenceBox<Confined: ThreadConfined>: @unchecked Sendable {
  // @unchecked: frozen values may be read from any thread, and the lock lets one thread take it.
  private let frozen: Mutex<Slot>

  // @unchecked: see above.
  private struct Slot: @unchecked Sendable {
    var value: Confined?
  }

  init(_ value: Confined) {
    guard let realm = value.realm else {
      violated("Cannot construct reference to unmanaged object, which can be passed across threads directly.")
    }
    rule(!value.isInvalidated, "Cannot construct reference to invalidated object.")
    rule(
      value.isFrozen || !realm.isInWriteTransaction,
      "Cannot construct a ThreadSafeReference within a write transaction. Commit it first.")
    frozen = Mutex(Slot(value: value.freeze()))
  }

  var isEmpty: Bool { frozen.withLock { $0.value == nil } }

  func resolve(in view: RealmView) -> Confined? {
    let taken = frozen.withLock { slot in
      let taken = slot
      slot.value = nil
      return taken
    }
    guard let value = taken.value, let from = value.realm else {
      violated("Can only resolve a thread safe reference once.")
    }
    rule(
      from.view.file === view.file,
      "Cannot resolve a thread safe reference in a Realm other than the one it was made from.")
    if let pinned = from.view.snapshot, let shown = view.snapshot, shown.version < pinned.version { _ = view.refresh() }
    return ThawTarget.with(view) { value.thaw() }
  }
}

extension Realm {
  /// What a reference of another thread, queue or actor refers to, live in this realm; nil when it was deleted
  /// meanwhile. The realm moves to the reference's version when it is older.
  ///
  /// A second time, within a write transaction, or of another file: stops the program.
  public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
    view.checkConfinement()
    rule(!view.isFrozen, "Cannot resolve a thread safe reference in a frozen Realm.")
    rule(view.session == nil, "Cannot resolve a thread safe reference within a write transaction.")
    return reference.resolve(in: view)
  }
}

/// Lets a variable that holds something live be used from any thread: each read gives what is live there.
///
///     @ThreadSafe var person = realm.objects(Person.self).first
///     queue.async { print(person?.name ?? "gone") }
///
/// A read opens the realm where it happens; one that cannot be opened there has no objects, and ``Realm/checkReads()`` of
/// it throws why.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  // @unchecked: what it holds is frozen.
  private struct Slot: @unchecked Sendable {
    var value: T?
  }
  private let frozen: Mutex<Slot>

  /// Holds something managed, or nil. Something unmanaged stops the program.
  public init(wrappedValue: T?) { frozen = Mutex(Slot(value: wrappedValue.map { carried($0) })) }

  /// What is held, live where it is read; nil when it was deleted.
  public var wrappedValue: T? {
    get {
      let held = frozen.withLock { $0 }
      guard let live = held.value?.thaw() else { return nil }
      if let realm = live.realm, !realm.isInWriteTransaction {
        // The next read starts from this version, and the older one is let go of.
        let next = Slot(value: live.freeze())
        frozen.withLock { $0 = next }
      }
      return live
    }
    set {
      let next = Slot(value: newValue.map { carried($0) })
      frozen.withLock { $0 = next }
    }
  }
}

private func carried<T: ThreadConfined>(_ value: T) -> T {
  rule(value.realm != nil, "Only managed objects may be wrapped as thread safe.")
  return value.freeze()
}
