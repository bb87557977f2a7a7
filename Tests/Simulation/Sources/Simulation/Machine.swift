import ObjectStore
import Synchronization
import Telemetry

/// What a machine has that a process does not: a disk, which can be full, and a clock, which can be wrong.
final class Machine: Sendable {
  private struct State {
    var isFull = false
    var clockError = Duration.zero
  }
  private let state = Mutex(State())

  init(clockError: Duration = .zero) { state.withLock { $0.clockError = clockError } }

  var clockError: Duration {
    get { state.withLock { $0.clockError } }
    set { state.withLock { $0.clockError = newValue } }
  }

  var isFull: Bool {
    get { state.withLock { $0.isFull } }
    set { state.withLock { $0.isFull = newValue } }
  }

  /// Fails when the disk is full.
  func makeSureOfRoom() throws {
    if isFull { throw Realm.Error(.outOfDiskSpace, "The disk is full. Make room.") }
  }
}
