/// Identifies a transaction that is begun or finished later.
public typealias AsyncTransactionId = UInt32

/// The transactions of one view that begin at later turns, in the order they were asked for.
final class AsyncWrites {
  private var next: AsyncTransactionId = 0
  private var waiting: [(id: AsyncTransactionId, block: (RealmView) -> Void)] = []
  private var completions: [AsyncTransactionId: (((any Error)?) -> Void)?] = [:]
  /// Who waits for another writer to end, in the order they came. They do not stand in line with the threads of the process:
  /// a turn that is handed to one whose actor stands still for a turn of its own would never be used.
  private var line: [Wakeup] = []
  private var isScheduled = false
  private var isRunning = false

  /// Whether anything waits to be begun or to be told of.
  var isBusy: Bool { !waiting.isEmpty || !completions.isEmpty || !line.isEmpty || isRunning }

  func begin(_ view: RealmView, _ block: @escaping (RealmView) -> Void) -> AsyncTransactionId {
    next += 1
    waiting.append((next, block))
    resume(view)
    return next
  }

  /// Calls a handler at a later turn.
  func complete(_ view: RealmView, _ error: (any Error)?, _ handler: (((any Error)?) -> Void)?) -> AsyncTransactionId {
    next += 1
    let id = next
    completions[id] = .some(handler)
    view.later { view in
      guard let handler = view.asyncWrites.completions.removeValue(forKey: id) else { return }
      handler?(error)
    }
    return id
  }

  /// Forgets a transaction that has not begun, or the handler of one that was committed.
  func cancel(_ id: AsyncTransactionId) {
    waiting.removeAll { $0.id == id }
    if completions[id] != nil { completions[id] = .some(nil) }
  }

  /// Begins what waits at the next turn, unless a transaction is open: its end asks again.
  func resume(_ view: RealmView) {
    guard !waiting.isEmpty, !isScheduled, !isRunning else { return }
    isScheduled = true
    view.later { $0.asyncWrites.turn($0) }
  }

  private func turn(_ view: RealmView) {
    isScheduled = false
    guard view.session == nil, !waiting.isEmpty else { return }
    let (_, block) = waiting.removeFirst()
    run(view) { block(view) }
  }

  /// Lets the actor do other work for as long as another thread of the process writes, or somebody waits who asked before.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func waitForTurn(_ view: RealmView, _isolation actor: isolated any Actor = #isolation) async throws {
    // Within a transaction of its own the realm would wait for itself: it says so instead.
    guard !view.isWriting, !line.isEmpty || view.file.store.isBeingWritten else { return }
    let place = Wakeup()
    line.append(place)
    defer {
      line.removeAll { $0 === place }
      line.first?.wake()
    }
    while line.first !== place || view.file.store.isBeingWritten {
      if line.first === place { view.file.store.whenWritable { place.wake() } }
      try await place.sleep()
    }
  }

  /// Runs a transaction; what waits begins when it is over.
  func run<R>(_ view: RealmView, _ transaction: () throws -> R) rethrows -> R {
    isRunning = true
    defer {
      isRunning = false
      resume(view)
    }
    return try transaction()
  }
}
