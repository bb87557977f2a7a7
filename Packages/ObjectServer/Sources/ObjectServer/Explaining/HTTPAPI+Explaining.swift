import ChangesetOT
import Permissions
import struct RecordStore.ViewQuestionError
import Telemetry
import Transport

extension HTTPAPI {
  /// Explains whether an object is on the devices of a user: of the bearer, or of the user that an administrator names.
  func explain(_ request: RoutedRequest, _ responder: any HTTPResponder) {
    let (accounts, sharing, logger, events) = (accounts, sharing, logger, events)
    context.perform(.directory) { () -> Result<(RealmQuestion, UserId), APIError> in
      do {
        let bearer = try Self.bearer(of: request, accounts)
        return .success((try Self.question(of: request.http, by: bearer, sharing), bearer.user))
      } catch let error as APIError {
        return .failure(error)
      } catch {
        logger.error("a request failed", ["reason": LogValue("\(error)")])
        return .failure(.storage)
      }
    } then: { result in
      switch result {
      case .success(.failure(let error)): responder.respond(JSONAnswer.refusal(error))
      case .success(.success(let (question, payer))):
        if let explanation = question.explanationOfPath {
          return responder.respond(JSONAnswer.response(200, explanation))
        }
        events.explain(question, payer) { responder.respond(Self.answer($0, question, logger)) }
      }
    }
  }

  private static func question(
    of request: HTTPRequest, by bearer: Bearer, _ sharing: Sharing
  ) throws -> RealmQuestion {
    func item(_ name: String) throws(APIError) -> String {
      guard let value = request.queryItem(name) else {
        throw APIError(400, .missingParameter, "the query has no '\(name)'")
      }
      return value
    }
    let isOperator = bearer.user == Accounts.administratorTokenUser
    let path: RealmPath
    do {
      path = try RealmPath(try item("path"), for: isOperator ? nil : bearer.user)
    } catch let error as RealmPathError {
      throw APIError(400, .invalidParameter, "\(error)")
    }
    var object = RealmQuestion.Object(className: try item("class"), key: request.queryItem("key"))
    if let text = request.queryItem("device") {
      guard let number = UInt64(text) else {
        throw APIError(400, .invalidParameter, "'device' is the number of a client file, not '\(text)'")
      }
      object.device = FileIdent(number)
    }
    var subject = AccessSubject(user: bearer.user, isAdministrator: bearer.subject.isAdministrator)
    let user = try request.queryItem("user") ?? (isOperator ? item("user") : bearer.user.rawValue)
    if user != bearer.user.rawValue {
      guard bearer.subject.isAdministrator else { throw APIError.denied("only an administrator can ask about others") }
      guard let record = try sharing.directory.user(named: user) else { throw APIError.userNotFound }
      subject = AccessSubject(user: record.id, isAdministrator: record.isAdministrator)
    }
    return try RealmQuestion(
      object, at: path, for: subject, by: bearer.user, isAdministrator: bearer.subject.isAdministrator, sharing.rules,
      sharing.directory)
  }

  private static func answer(
    _ result: Result<SyncExplanation, any Error>, _ question: RealmQuestion, _ logger: Logger
  ) -> HTTPResponse {
    switch result {
    case .success(let explanation): return JSONAnswer.response(200, question.completed(explanation))
    case .failure(let error as ViewQuestionError):
      return JSONAnswer.refusal(APIError(400, .invalidParameter, "\(error)"))
    case .failure(let error as APIError): return JSONAnswer.refusal(error)
    case .failure(let error as ServerError) where error.code == .realmConflict:
      return JSONAnswer.refusal(APIError(409, .realmConflict, "\(error.message); \(error.remedy)"))
    case .failure(let error):
      logger.error("an object cannot be explained", ["reason": LogValue("\(error)")])
      return JSONAnswer.refusal(.storage)
    }
  }
}

extension Directory {
  /// The user with an id, or the one who logs in with a name and a password.
  ///
  /// - Throws: ``ServerError`` when the directory cannot be read.
  func user(named name: String) throws(ServerError) -> UserRecord? {
    if let user = try user(UserId(name)) { return user }
    guard let identity = try identity(provider: AuthProvider.password.rawValue, name: name) else { return nil }
    return try user(identity.user)
  }
}
