import AdapterKit
import CommitFeed
import Permissions
import RecordStore
import Telemetry

/// The steps that all operations of adapters have in common.
enum AdapterCalls {
  /// Checks the lease and holds the realm. On the loop.
  ///
  /// - Parameter lease: the lease of the caller, which may be none; nil for work that needs none.
  /// - Throws: ``APIError`` with 409 when another process holds the lease.
  static func hold(
    _ call: AdminCall, _ path: RealmPath, _ lease: String??,
    _ completion: @escaping @Sendable (Result<RealmHold, APIError>) -> Void
  ) throws(APIError) {
    let services = call.services
    let key = AdapterLeases.Key(adapter: call["adapter"], path: path)
    let now = services.context.scheduler.wallTime
    if let lease { try services.adapters.check(key, token: lease, at: now) }
    services.hub.hold(path) { result in
      switch result {
      case .success(let hold?):
        services.adapterCallers.note(key, at: now)
        completion(.success(hold))
      case .success(nil) where services.hub.locked.contains(path):
        completion(
          .failure(APIError(409, .realmConflict, "the realm is being moved or deleted", secondsToWait: 1)))
      case .success(nil): completion(.failure(APIError(404, .notFound, "there is no realm at this path")))
      case .failure(let error): completion(.failure(refusal(error, services)))
      }
    }
  }

  /// The answer to an error of the work.
  static func refusal(_ error: any Error, _ services: AdminServices) -> APIError {
    switch error {
    case let error as APIError: return error
    case let error as AdapterError where error.code == .refused:
      return APIError(409, .realmConflict, "\(error.message); \(error.remedy)")
    case let error as AdapterError: return APIError(400, .invalidParameter, error.message)
    case FeedError.fellBehind:
      return APIError(
        410, .fellBehind, "the adapter was away for longer than history is kept; read the contents and go on from there"
      )
    case let error as FeedError: return APIError(409, .realmConflict, "\(error)")
    case let error as RecordStoreError where error.code == .invalidInput:
      return APIError(400, .invalidParameter, error.message)
    default:
      services.logger.error("a call of an adapter failed", ["reason": LogValue("\(error)")])
      return .storage
    }
  }
}
