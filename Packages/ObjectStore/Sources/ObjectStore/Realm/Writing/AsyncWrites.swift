/// Identifies a transaction that was asked for asynchronously.
public typealias AsyncTransactionId = UInt32

/// The asynchronous transactions of one view, in the order in which they were asked for.
///
/// Used only where the view is confined to.
final class AsyncWrites {
  private var lastID: AsyncTransactionId = 0
  private var waiting: [(id: AsyncTransactionId, block: (RealmView) -> Void)] = []
  private var completions: [AsyncTransactionId: (((any Error)?) -> Void)?] = [:]
  /// Tasks that wait for another writer to end, first come first served. They do not join the queue of the file's write
  /// lock: a lock that is passed to an actor that is itself blocked on the lock would never be released.
  private var queue: [Waiter] = []
  private var isScheduled = false
  private var isRunning = false

  /// Whether transactions or completion handlers are outstanding.
  var isBusy: Bool { !waiting.isEmpty || !completions.isEmpty || !queue.isEmpty || isRunning }

  func begin(_ view: RealmView, _ block: @escaping (RealmView) -> Void) -> AsyncTransactionId {
    lastID += 1
    waiting.append((lastID, block))
    resume(view)
    return lastID
  }

  /// Schedules the call of a completion handler.
  func complete(_ view: RealmView, _ error: (any Error)?, _ handler: (((any Error)?) -> Void)?) -> AsyncTransactionId {
    lastID += 1
    let id = lastID
    completions[id] = .some(handler)
    view.schedule { view in
      guard let handler = view.asyncWrites.completions.removeValue(forKey: id) else { return }
      handler?(error)
    }
    return id
  }

  /// Drops a transaction that has not begun, or the handler of one that was committed.
  func cancel(_ id: AsyncTransactionId) {
    waiting.removeAll { $0.id == id }
    if completions[id] != nil { completions[id] = .some(nil) }
  }

  /// Schedules the first waiting transaction. While one runs this does nothing: its end calls again.
  func resume(_ view: RealmView) {
    guard !waiting.isEmpty, !isScheduled, !isRunning else { return }
    isScheduled = true
    view.schedule { $0.asyncWrites.runFirst($0) }
  }

  private func runFirst(_ view: RealmView) {
    isScheduled = false
    guard view.session == nil, !waiting.isEmpty else { return }
    let (_, block) = waiting.removeFirst()
    run(view) { block(view) }
  }

  /// Suspends until no other thread of the process writes and every task that asked before has begun.
  ///
  /// - Throws: `CancellationError` when the task is cancelled meanwhile.
  func waitUntilWritable(_ view: RealmView, _isolation actor: isolated any Actor = #isolation) async throws {
    // Within a transaction of its own the realm would wait for itself; the nested transaction stops the program
    // instead.
    guard !view.isWriting, !queue.isEmpty || view.file.store.isBeingWritten else { return }
    let waiter = Waiter()
    queue.append(waiter)
    defer {
      queue.removeAll { $0 === waiter }
      queue.first?.wake()
    }
    var wakes = waiter.wakes.makeAsyncIterator()
    while queue.first !== waiter || view.file.store.isBeingWritten {
      if queue.first === waiter { view.file.store.whenWritable { waiter.wake() } }
      _ = await wakes.next(isolation: actor)
      try Task.checkCancellation()
    }
  }

  /// Runs a transaction, and schedules the next waiting one.
  func run<R>(_ view: RealmView, _ transaction: () throws -> R) rethrows -> R {
    isRunning = true
    defer {
      isRunning = false
      resume(view)
    }
    return try transaction()
  }
}

/// One task in the queue. Wakes coalesce: one that comes while the task is awake ends its next wait at once.
private final class Waiter: Sendable {
  let wakes: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (wakes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Any thread may call this.
  func wake() { continuation.yield() }
}

extension RealmView {
  /// Runs work later, where the view is confined to.
  func schedule(_ work: @escaping (RealmView) -> Void) {
    let deferred = DeferredWork(view: self, work: work)
    notifier.scheduler.schedule { deferred.work(deferred.view) }
  }
}

private struct DeferredWork: @unchecked Sendable {
  // @unchecked: made and used where the view is confined to.
  let view: RealmView
  let work: (RealmView) -> Void
}
