import Synchronization

/// A flag that is set once.
final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Whether it is set.
  var isSet: Bool { flag.load(ordering: .acquiring) }

  /// Sets it.
  func set() { flag.store(true, ordering: .releasing) }
}
