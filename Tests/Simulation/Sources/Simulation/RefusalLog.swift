import SyncClient
import Synchronization

/// The receipts that a device was told are refused. It outlives the processes of the device.
///
/// Safe from any thread.
final class RefusalLog: Sendable {
  private let names = Mutex<Set<String>>([])

  /// Notes the receipts of an error.
  func note(_ error: SyncError) {
    for write in error.compensatingWriteInfo ?? [] where write.objectType == "Receipt" {
      if case .string(let name) = write.primaryKey { names.withLock { _ = $0.insert(name) } }
    }
  }

  /// Whether a receipt was refused.
  func contains(_ receipt: String) -> Bool { names.withLock { $0.contains(receipt) } }
}
