import Permissions

// The bodies of calls and answers, named as on the wire.

struct RegisterBody: Encodable, Sendable {
  var email: String
  var password: String
}

struct LoginBody: Encodable, Sendable {
  var provider: String
  var username: String?
  var password: String?
  var token: String?
  var options = Options()

  struct Options: Encodable, Sendable {
    var device = ["sdk": "OpenRealm", "platform": "Linux"]
  }
}

struct LoginAnswer: Decodable, Sendable {
  var access_token: String
  var refresh_token: String
  var user_id: String
}

struct RefreshBody: Encodable, Sendable {
  /// This client takes a new refresh token with each access token.
  var rotate = true
}

struct SessionAnswer: Decodable, Sendable {
  var access_token: String
  var refresh_token: String?
}

struct ProfileAnswer: Decodable, Sendable {
  struct Identity: Decodable, Sendable {
    var id: String
    var provider_type: String
  }
  var user_id: String?
  var identities: [Identity]
  var data: [String: String]
}

struct PasswordBody: Encodable, Sendable {
  var password: String
  var userId: String?
  var keepAPIKeys: Bool?
}

struct PermissionBody: Codable, Sendable {
  var path: String
  var userId: String?
  var username: String?
  var access: String
  var updatedAt: Int64?
}

struct PermissionsAnswer: Decodable, Sendable {
  var permissions: [PermissionBody]
}

struct RealmUsersAnswer: Decodable, Sendable {
  struct User: Decodable, Sendable {
    var userId: String
    var name: String?
    var access: String?
    var sessions: Int
  }
  var users: [User]
}

struct ApplyAnswer: Decodable, Sendable {
  var path: String
}

struct OfferBody: Codable, Sendable {
  var path: String
  var access: String
  var token: String?
  var expiresAt: Int64?
  var createdAt: Int64?
}

struct OffersAnswer: Decodable, Sendable {
  var offers: [OfferBody]
}

struct AccountAnswer: Decodable, Sendable {
  var userId: String
}
