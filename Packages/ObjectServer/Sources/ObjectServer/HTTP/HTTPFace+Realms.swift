import Permissions
import Telemetry
import Transport

extension HTTPFace {
  /// Deletes or renames a realm that the bearer manages. Clients that hold it are told.
  func changeRealm(_ route: Route, _ request: HTTPRequest, _ responder: any HTTPResponder) {
    let (accounts, sharing, events, logger) = (accounts, sharing, events, logger)
    context.perform(.directory) { () throws(ServerError) -> Result<[RealmPath], APIError> in
      do {
        let bearer = try Self.bearer(of: request, for: route, accounts)
        guard route == .renameRealm else {
          guard let path = request.queryItem("path") else {
            throw APIError(400, "MissingParameter", "the query has no 'path'")
          }
          return .success([try sharing.managedPath(path, by: bearer)])
        }
        let body = try JSONAnswer.read(RenameRequest.self, from: request)
        return .success([
          try sharing.managedPath(body.path, by: bearer), try sharing.managedPath(body.newPath, by: bearer),
        ])
      } catch let error as APIError {
        return .failure(error)
      } catch {
        logger.error("a request failed", ["reason": LogValue("\(error)")])
        return .failure(.storage)
      }
    } then: { result in
      let finish: SyncHub.Completion = { result in
        switch result {
        case .success: responder.respond(JSONAnswer.empty(204))
        case .failure(let error) where error.code == .realmConflict:
          responder.respond(JSONAnswer.refusal(APIError(409, "RealmConflict", "\(error.message); \(error.remedy)")))
        case .failure(let error):
          logger.error("a realm cannot be changed", ["reason": LogValue("\(error)")])
          responder.respond(JSONAnswer.refusal(.storage))
        }
      }
      switch result {
      case .success(.success(let paths)) where paths.count == 2: events.renameRealm(paths[0], paths[1], finish)
      case .success(.success(let paths)) where paths.count == 1: events.deleteRealm(paths[0], finish)
      case .success(.failure(let error)): responder.respond(JSONAnswer.refusal(error))
      default: responder.respond(JSONAnswer.refusal(.storage))
      }
    }
  }
}
