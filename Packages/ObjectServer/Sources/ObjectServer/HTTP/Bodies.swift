// The JSON bodies of the API, named as on the wire.

struct RegisterRequest: Decodable {
  var email: String
  var password: String
}

struct APIKeyRequest: Decodable {
  var name: String
}

struct MailRequest: Decodable {
  var email: String?
  var token: String?
  var tokenId: String?
  var password: String?
}

struct FunctionRequest: Decodable {
  var name: String?
  var service: String?
}

struct RenameRequest: Decodable {
  var path: String
  var newPath: String
}

/// Also in the form that servers before the client API took.
struct PasswordRequest: Decodable {
  struct Legacy: Decodable {
    var new_password: String
  }
  var password: String?
  var userId: String?
  /// Whether the user's API keys survive the change; they do not unless this says so.
  var keepAPIKeys: Bool?
  var data: Legacy?
  var user_id: String?
}

struct PermissionRequest: Decodable {
  var path: String
  var userId: String?
  /// The name that the user logs in with; `email` is another name of it.
  var username: String?
  var email: String?
  /// `default`: every user without a grant of their own, present and future; `nonExistingPermissions` is another name of it.
  var condition: String?
  var access: String
}

struct OfferRequest: Decodable {
  var path: String
  var access: String
  /// Milliseconds since 1970.
  var expiresAt: Int64?
}

struct LocationBody: Encodable {
  var deployment_model = "GLOBAL"
  var location = "US-VA"
  var hostname: String
  var ws_hostname: String
}

struct LoginBody: Encodable {
  var access_token: String
  var refresh_token: String
  var user_id: String
  var device_id: String
}

struct RefreshRequest: Decodable {
  /// Whether the client takes a new refresh token in place of the one that it sent.
  var rotate: Bool?
}

struct SessionBody: Encodable {
  var access_token: String
  var refresh_token: String?
}

struct ProfileBody: Encodable {
  struct Identity: Encodable {
    var id: String
    var provider_type: String
  }
  var user_id: String
  var type = "normal"
  var identities: [Identity]
  var data: [String: String]
}

struct APIKeyBody: Encodable {
  var _id: String
  var name: String
  var disabled: Bool
  /// The secret; only in the answer that made it.
  var key: String?
}

struct RealmsBody: Encodable {
  struct Realm: Encodable {
    var path: String
    var owner: String?
  }
  var realms: [Realm]
}

struct AccountBody: Encodable {
  var userId: String
}

struct PermissionBody: Encodable {
  var path: String
  var userId: String
  var access: String
  var updatedAt: Int64
}

struct PermissionsBody: Encodable {
  var permissions: [PermissionBody]
}

struct RealmUsersBody: Encodable {
  struct User: Encodable {
    /// `*` stands for everyone.
    var userId: String
    var name: String?
    /// Left out for those of whom the caller may not know it.
    var access: String?
    /// The open sessions of the realm.
    var sessions: Int
  }
  /// The rights of the caller.
  var access: String
  var users: [User]
}

struct AppliedBody: Encodable {
  var path: String
  var changed: [String]
}

struct OfferBody: Encodable {
  var path: String
  var access: String
  var token: String
  var expiresAt: Int64?
  var createdAt: Int64
}

struct OffersBody: Encodable {
  var offers: [OfferBody]
}

struct HealthBody: Encodable {
  var status: String
  var version: String
}

struct ErrorBody: Encodable {
  var error: String
  var error_code: String
  var link = ""
}
