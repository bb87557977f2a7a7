import Synchronization
import Transport

/// A cache of client contexts by configuration: reading the system's trust store takes tens of milliseconds.
final class TLSContextCache: Sendable {
  private let contexts = Mutex<[TLSClientConfiguration: TLSContext]>([:])

  /// The context for `configuration`.
  ///
  /// - Throws: ``TransportError/Code/invalidConfiguration``
  func context(for configuration: TLSClientConfiguration) throws(TransportError) -> TLSContext {
    if let context = contexts.withLock({ $0[configuration] }) { return context }
    let context = try TLSContext(client: configuration)
    contexts.withLock { contexts in
      if contexts.count >= 64 { contexts.removeAll() }
      contexts[configuration] = context
    }
    return context
  }
}
