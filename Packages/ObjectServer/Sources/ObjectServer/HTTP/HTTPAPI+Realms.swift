import Permissions
import Telemetry
import Transport

extension HTTPAPI {
  /// Deletes a realm that the bearer manages, while clients may hold it.
  func deleteRealm(_ request: RoutedRequest, _ responder: any HTTPResponder) {
    let (sharing, events) = (sharing, events)
    changeRealm(request, responder) { bearer in
      guard let path = request.http.queryItem("path") else {
        throw APIError(400, .missingParameter, "the query has no 'path'")
      }
      return try sharing.managedPath(path, by: bearer)
    } then: { path, completion in
      events.deleteRealm(path, completion)
    }
  }

  /// Renames a realm that the bearer manages, while clients may hold it.
  func renameRealm(_ request: RoutedRequest, _ responder: any HTTPResponder) {
    let (sharing, events) = (sharing, events)
    changeRealm(request, responder) { bearer in
      let body = try JSONAnswer.read(RenameRequest.self, from: request.http)
      return (try sharing.managedPath(body.path, by: bearer), try sharing.managedPath(body.newPath, by: bearer))
    } then: { paths, completion in
      events.renameRealm(paths.0, paths.1, completion)
    }
  }

  /// Checks a request on the executor, then goes on on the loop; a refusal is answered.
  func checking<Found: Sendable>(
    _ request: RoutedRequest, _ responder: any HTTPResponder,
    check: @escaping @Sendable (Bearer) throws -> Found, then goOn: @escaping @Sendable (Found) -> Void
  ) {
    let (accounts, logger) = (accounts, logger)
    context.perform(.directory) { () -> Result<Found, APIError> in
      do {
        return .success(try check(try Self.bearer(of: request, accounts)))
      } catch let error as APIError {
        return .failure(error)
      } catch {
        logger.error("a request failed", ["reason": LogValue("\(error)")])
        return .failure(.storage)
      }
    } then: { result in
      switch result {
      case .success(.failure(let error)): responder.respond(JSONAnswer.refusal(error))
      case .success(.success(let found)): goOn(found)
      }
    }
  }

  /// Checks a request on the executor, then has `change` perform it on the loop, and answers the result.
  private func changeRealm<Paths: Sendable>(
    _ request: RoutedRequest, _ responder: any HTTPResponder,
    check: @escaping @Sendable (Bearer) throws -> Paths,
    then change: @escaping @Sendable (Paths, @escaping HTTPAPIEvents.Completion) -> Void
  ) {
    let logger = logger
    checking(request, responder, check: check) { paths in
      change(paths) { result in
        switch result {
        case .success: responder.respond(JSONAnswer.empty(204))
        case .failure(let error) where error.code == .realmConflict:
          let message = "\(error.message); \(error.remedy)"
          responder.respond(JSONAnswer.refusal(APIError(409, .realmConflict, message)))
        case .failure(let error):
          logger.error("a realm cannot be changed", ["reason": LogValue("\(error)")])
          responder.respond(JSONAnswer.refusal(.storage))
        }
      }
    }
  }
}
