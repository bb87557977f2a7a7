import Permissions
import Telemetry
import Transport

extension Sharing {
  /// The realms that the bearer may open: those of their folder, and those that were granted to them.
  func grants(by bearer: Bearer) throws -> HTTPResponse {
    let own = try directory.realms(in: bearer.user).map { path in
      Grant(path: path, grantee: .user(bearer.user), level: .admin)
    }
    let all = own + (try directory.grants(to: bearer.user)).filter { $0.path.owner != bearer.user }
    return JSONAnswer.response(
      200, PermissionsBody(permissions: all.sorted { $0.path.description < $1.path.description }.map(Self.body)))
  }

  /// The grants on the realms in the bearer's folder.
  func givenGrants(by bearer: Bearer) throws -> HTTPResponse {
    JSONAnswer.response(
      200, PermissionsBody(permissions: try directory.grants(inFolderOf: bearer.user).map(Self.body)))
  }

  /// The grants on the realm that the query names.
  func realmGrants(_ request: HTTPRequest, by bearer: Bearer) throws -> HTTPResponse {
    let grants = try grants(on: request.queryItem("path") ?? "", by: bearer)
    return JSONAnswer.response(200, PermissionsBody(permissions: grants.map(Self.body)))
  }

  /// Changes a grant, as the body says.
  ///
  /// - Throws: ``APIError``; ``ServerError`` when the directory cannot be written.
  func apply(_ request: HTTPRequest, by bearer: Bearer) throws -> HTTPResponse {
    let body = try JSONAnswer.read(PermissionRequest.self, from: request)
    let level = try Self.level(body.access)
    let changed = try apply(path: body.path, to: try grantee(of: body), level: level, by: bearer)
    let path = body.path == "*" ? "*" : changed.first?.description ?? body.path
    return JSONAnswer.response(200, AppliedBody(path: path, changed: changed.map(\.description)))
  }

  /// The offers that the bearer made and that have not expired.
  func offers(by bearer: Bearer) throws -> HTTPResponse {
    let offers = try directory.offers(of: bearer.user).filter { $0.expiresAt.map { $0 > clock.wallTime } ?? true }
    return JSONAnswer.response(200, OffersBody(offers: offers.map(Self.body)))
  }

  /// Makes an offer, as the body says.
  func createOffer(_ request: HTTPRequest, by bearer: Bearer) throws -> HTTPResponse {
    let body = try JSONAnswer.read(OfferRequest.self, from: request)
    let offer = try createOffer(
      path: body.path, level: try Self.level(body.access),
      expiresAt: body.expiresAt.map(WallTime.init(millisecondsSince1970:)), by: bearer)
    return JSONAnswer.response(201, Self.body(offer))
  }

  /// Gives the bearer what an offer promises.
  ///
  /// - Throws: ``APIError`` with 404 when the offer cannot be used; ``ServerError``.
  func accept(_ token: String, by bearer: Bearer) throws -> HTTPResponse {
    let path = try acceptOffer(token, by: bearer)
    return JSONAnswer.response(200, AppliedBody(path: path.description, changed: [path.description]))
  }

  /// Withdraws an offer.
  ///
  /// - Throws: ``APIError`` with 404 when the bearer may not withdraw it or it does not exist; ``ServerError``.
  func withdraw(_ token: String, by bearer: Bearer) throws -> HTTPResponse {
    try deleteOffer(token, by: bearer)
    return JSONAnswer.empty(204)
  }

  private func grantee(of body: PermissionRequest) throws -> Grantee {
    if let condition = body.condition {
      guard ["default", "nonExistingPermissions"].contains(condition) else {
        throw APIError(400, .invalidParameter, "'condition' is default or nonExistingPermissions, not '\(condition)'")
      }
      return .everyone
    }
    if let id = body.userId { return Grantee(id) }
    guard let name = body.username ?? body.email else {
      throw APIError(400, .missingParameter, "the body needs 'userId', 'username', 'email' or 'condition'")
    }
    if name == "*" { return .everyone }
    guard let identity = try directory.identity(provider: AuthProvider.password.rawValue, name: name) else {
      throw APIError.userNotFound
    }
    return .user(identity.user)
  }

  static func level(_ name: String) throws(APIError) -> AccessLevel {
    guard let level = AccessLevel(name: name) else {
      throw APIError(400, .invalidParameter, "'access' is none, read, write or manage, not '\(name)'")
    }
    return level
  }

  private static func body(_ grant: Grant) -> PermissionBody {
    PermissionBody(
      path: grant.path.description, userId: grant.grantee.description, access: grant.level.name,
      updatedAt: grant.updatedAtMilliseconds)
  }

  private static func body(_ offer: OfferRecord) -> OfferBody {
    OfferBody(
      path: offer.path.description, access: offer.level.name, token: offer.token,
      expiresAt: offer.expiresAt?.millisecondsSince1970, createdAt: offer.createdAt.millisecondsSince1970)
  }
}

extension HTTPAPI {
  /// Changes a grant.
  ///
  /// - Throws: ``APIError``; ``ServerError`` when the directory cannot be written.
  func applyPermission(_ request: HTTPRequest, by bearer: Bearer) throws -> HTTPResponse {
    try countingNames(request, tells: .userNotFound) { try sharing.apply(request, by: bearer) }
  }
}
