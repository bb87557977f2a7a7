import Foundation
import Synchronization

/// Work that another thread does over and over while a test looks at something that must not depend on it.
///
///     let bustle = Bustle { _ = try? open(somethingElse) }
///     defer { bustle.end() }
public final class Bustle: Sendable {
  private let isOver = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Begins; `work` is called until ``end()``.
  public init(_ work: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      while !self.isOver.load(ordering: .relaxed) { work() }
      self.ended.signal()
    }
  }

  /// Returns when the work has ended. Call it once.
  public func end() {
    isOver.store(true, ordering: .relaxed)
    ended.wait()
  }
}
