import ObjectStore
import Synchronization
import Telemetry

/// The hardware of a simulated host, which outlives its processes: a disk, which can be full, and a clock, which can be
/// wrong.
///
/// Safe from any thread.
final class HostHardware: Sendable {
  private struct State {
    var isDiskFull = false
    var clockError = Duration.zero
  }
  private let state = Mutex(State())

  init(clockError: Duration = .zero) { state.withLock { $0.clockError = clockError } }

  var clockError: Duration {
    get { state.withLock { $0.clockError } }
    set { state.withLock { $0.clockError = newValue } }
  }

  var isDiskFull: Bool {
    get { state.withLock { $0.isDiskFull } }
    set { state.withLock { $0.isDiskFull = newValue } }
  }

  /// Checks for space on the disk.
  ///
  /// - Throws: `Realm.Error` with `outOfDiskSpace` when the disk is full.
  func checkDiskSpace() throws {
    if isDiskFull { throw Realm.Error(.outOfDiskSpace, "The disk is full. Make room.") }
  }
}
