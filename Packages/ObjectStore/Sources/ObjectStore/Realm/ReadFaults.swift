import StorageEngine
import Synchronization

/// Errors of reads that could not throw. The first is kept until an API that can throw reports it.
///
/// Any thread may note and take errors.
final class ReadFaults: Sendable {
  private struct State {
    /// The first error that was not reported.
    var pending: Realm.Error?
    var count = 0
  }
  private let state = Mutex(State())

  /// The number of errors so far.
  var count: Int { state.withLock { $0.count } }

  /// Whether any read ever failed, so that later reads may contradict earlier ones.
  var isFaulty: Bool { count > 0 }

  /// Notes an error, and gives it as ``Realm/Error``.
  @discardableResult
  func note(_ error: any Error) -> Realm.Error {
    let fault =
      switch error {
      case let error as Realm.Error: error
      case let error as StorageError: Realm.Error(error)
      default: Realm.Error(.fail, "The realm could not be read. See the cause.", cause: error)
      }
    let isFirst = state.withLock { state in
      state.count += 1
      if state.pending == nil { state.pending = fault }
      return state.count == 1
    }
    if isFirst { log(.error, "What cannot be read shows as empty, and nothing is written on top of it. \(fault)") }
    return fault
  }

  /// The first error since the last call; nil when there was none.
  func take() -> Realm.Error? {
    state.withLock { state in
      defer { state.pending = nil }
      return state.pending
    }
  }

  /// - Throws: the first error since the last call.
  func check() throws { if let fault = take() { throw fault } }

  /// Runs a read in a place that cannot throw; `blank` when it fails.
  /// Inlined everywhere, since it runs once per value. Serves store.insert-1m.
  @inline(__always) func reading<R>(or blank: @autoclosure () -> R, _ body: () throws -> R) -> R {
    do { return try body() } catch {
      note(error)
      return blank()
    }
  }
}

extension RealmView {
  /// Runs a read in a place where the API cannot throw; `blank` when it fails. The error is thrown by the next call
  /// that can throw: until then no transaction begins or commits.
  func reading<R>(or blank: @autoclosure () -> R, _ body: () throws -> R) -> R {
    faults.reading(or: blank(), body)
  }

  /// Runs a write in a place where the API cannot throw; the commit throws the error.
  func writing(_ body: () throws -> Void) { faults.reading(or: (), body) }
}

extension ObjectBase {
  /// Runs a write of one of the object's cells; the commit throws the error.
  /// Inlined everywhere, since it runs once per value. Serves store.property-write.
  @inline(__always) final func writing(_ body: () throws -> Void) {
    do { try body() } catch { state.noteFault(error) }
  }
}

extension UnsafeMutablePointer where Pointee == ObjectState {
  /// Notes that a property of the object could not be read or written.
  @usableFromInline @inline(never) func noteFault(_ error: any Error) {
    pointee.view?.pointee.view._withUnsafeGuaranteedRef { _ = $0.faults.note(error) }
  }
}
