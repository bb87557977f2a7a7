import Synchronization

/// Schedules a pass of a view's notifier where the view is confined to.
///
/// Signals coalesce: those that come before the pass begins lead to one pass. Any thread may signal. The signal does
/// not keep the view; nothing happens once the view is gone.
final class WakeSignal: Sendable {
  private let view: WeakView
  private let scheduler: Scheduler
  private let pending = Atomic<Bool>(false)

  init(_ view: RealmView, _ scheduler: Scheduler) {
    self.view = view.weakReference
    self.scheduler = scheduler
  }

  /// Whether a pass is scheduled and has not begun.
  var isPending: Bool { pending.load(ordering: .acquiring) }

  /// Schedules a pass, unless one is pending.
  func signal() {
    guard pending.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged else {
      return
    }
    scheduler.schedule { [view] in view.view?.notifier.runPass() }
  }

  /// Begins a pass: later signals schedule another one.
  func clear() { pending.store(false, ordering: .releasing) }
}
