import Synchronization

/// Makes a variable that holds an object or collection of a realm usable from any thread: each read gives the value
/// live on the reading thread.
///
///     @ThreadSafe var person = realm.objects(Person.self).first
///     queue.async { print(person?.name ?? "deleted") }
///
/// A read opens the realm on the thread that reads, and moves that realm to the version of the value when it is older.
/// A realm that cannot be opened there has no objects, and its ``Realm/checkReads()`` throws the reason.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private struct Slot: Sendable {
    var handover: Handover<T>?
    /// The number of times that the variable was set.
    var number = 0
  }
  private let slot: Mutex<Slot>

  /// Holds a managed value, or nil. An unmanaged value stops the program.
  public init(wrappedValue: T?) { slot = Mutex(Slot(handover: wrappedValue.map { handover($0) })) }

  /// The value, live on the calling thread; nil when it was deleted.
  public var wrappedValue: T? {
    get {
      let held = slot.withLock { $0 }
      guard let handover = held.handover, let live = handover.liveOnThisThread() else { return nil }
      // The next read starts from this version, so that the older one can be reclaimed.
      let next = Handover(live)
      slot.withLock { if $0.number == held.number { $0.handover = next } }
      return live
    }
    set {
      let next = newValue.map { handover($0) }
      slot.withLock { $0 = Slot(handover: next, number: $0.number + 1) }
    }
  }
}

private func handover<T: ThreadConfined>(_ value: T) -> Handover<T> {
  rule(value.realm != nil, "Only managed objects may be wrapped as thread safe.")
  return Handover(value)
}
