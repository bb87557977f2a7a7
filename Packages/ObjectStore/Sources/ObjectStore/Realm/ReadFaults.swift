import StorageEngine
import Synchronization

/// What reads that cannot throw met instead of their data: kept until somebody can be told.
final class ReadFaults: Sendable {
  private struct State {
    /// The first that nobody was told of.
    var pending: Realm.Error?
    var count = 0
  }
  private let state = Mutex(State())

  /// How many there were.
  var count: Int { state.withLock { $0.count } }

  /// Whether there ever was one, so that what is found may contradict what was found before.
  var isFaulty: Bool { count > 0 }

  /// Notes why something could not be read or written, and gives it in a realm's words.
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

  /// What happened first since this was asked last.
  func take() -> Realm.Error? {
    state.withLock { state in
      defer { state.pending = nil }
      return state.pending
    }
  }

  /// Throws what happened first since this was asked last.
  func check() throws { if let fault = take() { throw fault } }

  /// Runs work that cannot throw where it is called; gives `blank` where it fails.
  @inline(__always) func reading<R>(or blank: @autoclosure () -> R, _ body: () throws -> R) -> R {
    do { return try body() } catch {
      note(error)
      return blank()
    }
  }
}

extension RealmView {
  /// Runs work on the storage in a place where the API cannot throw. What fails there shows as `blank`, and is thrown by
  /// the next call that can: the view cannot begin a transaction, nor commit one, before that.
  @inline(__always) func reading<R>(or blank: @autoclosure () -> R, _ body: () throws -> R) -> R {
    faults.reading(or: blank(), body)
  }

  /// The same for work without a result.
  @inline(__always) func writing(_ body: () throws -> Void) { faults.reading(or: (), body) }
}

extension ObjectBase {
  /// The same for an object of a realm whose cell is written.
  @inline(__always) final func writing(_ body: () throws -> Void) {
    do { try body() } catch { state.noteFault(error) }
  }
}

extension UnsafeMutablePointer where Pointee == ObjectState {
  /// Notes that a property of the object could not be read.
  @usableFromInline @inline(never) func noteFault(_ error: any Error) {
    pointee.view?.pointee.view._withUnsafeGuaranteedRef { _ = $0.faults.note(error) }
  }
}
