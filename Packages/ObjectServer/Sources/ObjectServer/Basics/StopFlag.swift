import Synchronization

/// A flag that is set once, for work that may end early. From any thread.
final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Whether the flag was set.
  var isSet: Bool { flag.load(ordering: .relaxed) }

  /// Sets the flag.
  func set() { flag.store(true, ordering: .relaxed) }
}
