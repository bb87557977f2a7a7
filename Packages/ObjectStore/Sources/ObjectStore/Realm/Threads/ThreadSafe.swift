import Synchronization

/// Lets a variable that holds something live be used from any thread: each read gives what is live there.
///
///     @ThreadSafe var person = realm.objects(Person.self).first
///     queue.async { print(person?.name ?? "gone") }
///
/// A read opens the realm where it happens, and moves it to the version of what is held when it is older; one that cannot
/// be opened there has no objects, and ``Realm/checkReads()`` of it throws why.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private struct Slot: Sendable {
    var carried: Carried<T>?
    /// How often the variable was set.
    var number = 0
  }
  private let slot: Mutex<Slot>

  /// Holds something managed, or nil. Something unmanaged stops the program.
  public init(wrappedValue: T?) { slot = Mutex(Slot(carried: wrappedValue.map { carried($0) })) }

  /// What is held, live where it is read; nil when it was deleted.
  public var wrappedValue: T? {
    get {
      let held = slot.withLock { $0 }
      guard let carried = held.carried, let live = carried.liveHere() else { return nil }
      // The next read starts from this version, and the older one is let go of.
      let next = Carried(live)
      slot.withLock { if $0.number == held.number { $0.carried = next } }
      return live
    }
    set {
      let next = newValue.map { carried($0) }
      slot.withLock { $0 = Slot(carried: next, number: $0.number + 1) }
    }
  }
}

private func carried<T: ThreadConfined>(_ value: T) -> Carried<T> {
  rule(value.realm != nil, "Only managed objects may be wrapped as thread safe.")
  return Carried(value)
}
