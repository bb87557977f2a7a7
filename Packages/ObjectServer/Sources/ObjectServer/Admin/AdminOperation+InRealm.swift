import ByteCoding
import DataExchange
import Permissions
import RecordStore
import Telemetry

/// Work in one realm, within the rights of whoever asks.
extension AdminOperation {
  typealias Completion = @Sendable (Result<JSONValue?, APIError>) -> Void

  /// The work of an operation that reads a realm and is open to every user.
  static func reading(
    _ body: @escaping @Sendable (AdminCall, RealmPath, ReadableContents) throws -> JSONValue?
  ) -> Work {
    .loop { call, completion in read(call, completion) { try body(call, $0, $1) } }
  }

  /// Reads the realm that a call names, as it is or as of the version `at`: for administrators beside the realm's jobs, for others
  /// as one of its jobs, within their permissions. On the loop.
  static func read(
    _ call: AdminCall, _ completion: @escaping Completion,
    _ body: @escaping @Sendable (RealmPath, ReadableContents) throws -> JSONValue?
  ) {
    guard let bearer = call.bearer else { return completion(.failure(.noBearer)) }
    if let version = call.integer("at") {
      return inRealm(call, call["path"], completion) { target, history in
        guard target.access.isAdministrator else { throw APIError.denied("only an administrator sees the past") }
        let past = try call.services.pasts.contents(at: version, of: target.path, history)
        return (try body(target.path, ReadableContents(past)), false)
      }
    }
    guard !bearer.subject.isAdministrator else {
      let services = call.services
      return services.context.perform(.reading(call["path"])) { () -> Result<JSONValue?, APIError> in
        AdminAPI.catching(services) {
          let path = try existingPath(call["path"], services)
          return try body(path, ReadableContents(try services.requiredFiles().contents(path)))
        }
      } then: { (result: Result<Result<JSONValue?, APIError>, Never>) in
        if case .success(let result) = result { completion(result) }
      }
    }
    inRealm(call, call["path"], completion) { target, history in
      (try body(target.path, try history.readableContents(by: target.access)), false)
    }
  }

  /// Runs `body` as a job of a realm, for the bearer of a call. On the loop.
  ///
  /// - Parameter body: answers the value, and whether something was written.
  static func inRealm(
    _ call: AdminCall, _ path: String, _ completion: @escaping Completion,
    _ body: @escaping @Sendable (RealmTarget, ServerHistory) throws -> (value: JSONValue?, wrote: Bool)
  ) {
    guard let bearer = call.bearer else { return completion(.failure(.noBearer)) }
    inStore(call, path, for: bearer, completion) { target, store in
      guard let history = store.graphQL?.history else {
        throw APIError.notServed("the realms of this server are kept where this API does not reach them")
      }
      return try body(target, history)
    }
  }

  /// Runs `body` as a job of a realm with the rights of `user`, who may be another one than the bearer of the call. On the loop.
  static func inStore(
    _ call: AdminCall, _ path: String, for user: Bearer, _ completion: @escaping Completion,
    _ body: @escaping @Sendable (RealmTarget, any HistoryStore) throws -> (value: JSONValue?, wrote: Bool)
  ) {
    let services = call.services
    services.context.perform(.directory) { () -> Result<RealmTarget, APIError> in
      AdminAPI.catching(services) { try RealmTarget(path, for: user, services.sharing.rules, services.directory) }
    } then: { (result: Result<Result<RealmTarget, APIError>, Never>) in
      guard case .success(let result) = result else { return }
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(let target):
        services.hub.serve(target.path, for: user.user) { store in
          try body(target, store)
        } then: {
          completion($0.mapError { refusal($0, services) })
        }
      }
    }
  }

  /// The path of a realm whose files this server has. From any thread.
  ///
  /// - Throws: ``APIError`` with 400 for no path, with 404 where there is no realm; ``ServerError``.
  static func existingPath(_ text: String, _ services: AdminServices) throws -> RealmPath {
    let path = try path(text)
    guard try services.directory.facts(of: path).exists else {
      throw APIError(404, .notFound, "there is no realm at this path")
    }
    if let placement = services.hub.member?.placement, placement.place(of: path) != .here {
      throw ServerError.elsewhere(path)
    }
    return path
  }

  /// The refusal of a job.
  static func refusal(_ error: any Error, _ services: AdminServices) -> APIError {
    switch error {
    case let error as APIError: return error
    case let error as ServerError where error.code == .realmConflict:
      return APIError(409, .realmConflict, "\(error.message); \(error.remedy)")
    case let error as WriteRefusal: return .denied(error.reason)
    case let error as ExchangeError: return APIError(400, .invalidParameter, error.withoutFile)
    case let error as TrimmedHistoryError:
      return APIError(409, .realmConflict, "the history before version \(error.base.rawValue) is no longer kept")
    case let error as RecordStoreError where [.invalidInput, .schemaMismatch].contains(error.code):
      return APIError(400, .invalidParameter, error.message)
    default:
      services.logger.error("a request to a realm failed", ["reason": LogValue("\(error)")])
      return .storage
    }
  }
}
