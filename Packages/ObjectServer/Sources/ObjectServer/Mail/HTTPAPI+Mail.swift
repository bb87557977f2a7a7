import Permissions
import Telemetry
import Transport

/// The routes of accounts that are confirmed, and of passwords that are reset, by mail. Their answers are alike whether or not there is
/// an account.
extension HTTPAPI {
  /// Registers an account that exists once its address is confirmed.
  func registerPending(
    _ body: RegisterRequest, app: String, _ request: HTTPRequest, _ mail: MailService, _ responder: any HTTPResponder
  ) throws(APIError) {
    guard MailMessage.isAddress(body.email) else {
      throw .badRequest("the name of an account is a mail address here, such as ann@example.org")
    }
    let accounts = accounts
    answer(queue(of: body.email), responder) { [self] in
      try countNewUser(request)
      try accounts.checkName(body.email)
      try accounts.checkPassword(body.password)
      guard try mail.pending.hasRoom() else { throw APIError.tooManyAccounts }
      // The same work whether or not the name is taken.
      let hash = try accounts.hash(body.password)
      let isTaken = try accounts.directory.identity(provider: AuthProvider.password.rawValue, name: body.email) != nil
      if !isTaken {
        try mail.register(
          .init(name: body.email, passwordHash: hash, createdAt: accounts.now.millisecondsSince1970), app: app)
      }
      return JSONAnswer.response(201, [String: String]())
    }
  }

  /// Answers one of the routes `confirm`, `confirm/send`, `reset`, `reset/send`; those that would call functions are refused.
  func answerMail(_ routed: RoutedRequest, _ mail: MailService, _ responder: any HTTPResponder) throws(APIError) {
    // The words after `…/providers/local-userpass/`.
    let words = routed.path.dropFirst(8).joined(separator: "/")
    let body = routed.http.body.isEmpty ? MailRequest() : try JSONAnswer.read(MailRequest.self, from: routed.http)
    let app = routed[.app]
    switch words {
    case "confirm/send", "reset/send":
      guard let email = body.email else { throw APIError(400, .missingParameter, "the body has no 'email'") }
      try checkNewUsers(routed.http)
      answer(.directory, responder) { [self] in
        try countNewUser(routed.http)
        // After the answer, so that its time tells nothing.
        context.executor.submit(to: .mail) { [logger] in
          do throws(ServerError) {
            if words == "reset/send" {
              try mail.orderReset(app: app, name: email)
            } else {
              try mail.orderConfirmations(app: app, name: email)
            }
          } catch {
            logger.error("a message cannot be ordered", ["reason": LogValue("\(error)")])
          }
        }
        return JSONAnswer.response(200, [String: String]())
      }
    case "confirm", "reset":
      guard let secret = body.token, let ident = body.tokenId else {
        throw APIError(400, .missingParameter, "the body needs 'token' and 'tokenId'")
      }
      guard words == "confirm" || body.password != nil else {
        throw APIError(400, .missingParameter, "the body has no 'password'")
      }
      answer(queue(of: ident), responder) {
        if words == "confirm" {
          try mail.confirm(ident, secret, password: body.password)
        } else {
          try mail.reset(ident, secret, to: body.password ?? "")
        }
        return JSONAnswer.response(200, [String: String]())
      }
    default: throw try Self.mailRefusal(routed)
    }
  }
}

extension MailService {
  private static let badToken = APIError(400, .userpassTokenInvalid, "invalid token data")

  /// Makes the user of a confirmed account; other registrations of the name end.
  ///
  /// - Parameter password: the password that was chosen at the registration, as the page of the link asks for it: then the address
  ///   and the password are of one person. Nil for apps that read links themselves.
  /// - Throws: ``APIError`` with 400 when the link is none, was used or has expired, or the password is another; ``ServerError``.
  func confirm(_ ident: String, _ secret: String, password: String?) throws {
    let now = accounts.now
    guard let found = tokens.read(ident, at: now), found.kind == .confirmation,
      let account = try pending.account(found.subject, at: now, lifetime: settings.confirmationLifetime),
      try tokens.isValid(secret, of: ident, state: account.passwordHash)
    else { throw Self.badToken }
    if let password, try !accounts.verify(password, against: account.passwordHash) {
      throw APIError(400, .invalidPassword, "this is not the password of the registration")
    }
    let user = UserRecord(id: accounts.newUserId(), createdAt: now)
    let identity = IdentityRecord(
      provider: AuthProvider.password.rawValue, name: account.name, user: user.id, passwordHash: account.passwordHash)
    let isCreated = try accounts.directory.createUser(user, identity: identity)
    // The account is there whether or not they can be removed: they expire.
    let others = try? pending.registrations(of: account.name, at: now, lifetime: settings.confirmationLifetime)
    for registration in others ?? [] { try? pending.remove(registration) }
    guard isCreated else { throw Self.badToken }
  }

  /// Sets a new password; all logins of the user end.
  ///
  /// - Throws: ``APIError`` with 400 when the link is none, was used or has expired, or the password is refused; ``ServerError``.
  func reset(_ ident: String, _ secret: String, to password: String) throws {
    guard let found = tokens.read(ident, at: accounts.now), found.kind == .reset,
      // A user may have several names: the link is that of one of them.
      let identity = try accounts.directory.identities(of: UserId(found.subject)).first(where: { identity in
        guard identity.provider == AuthProvider.password.rawValue, let state = identity.passwordHash else {
          return false
        }
        return try tokens.isValid(secret, of: ident, state: state)
      })
    else { throw Self.badToken }
    try accounts.checkPassword(password)
    _ = try accounts.setPassword(password, of: identity, keepingLogin: nil, keepsKeys: false)
  }
}
