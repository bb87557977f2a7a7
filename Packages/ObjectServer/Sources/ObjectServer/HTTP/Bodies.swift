// The JSON bodies of the API, named as on the wire.

struct RegisterRequest: Decodable {
  var email: String
  var password: String
}

struct LoginRequest: Decodable {
  var username: String?
  var password: String?
  var token: String?
}

struct PasswordRequest: Decodable {
  var password: String
  var userId: String?
}

struct PermissionRequest: Decodable {
  var path: String
  var userId: String?
  var username: String?
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

struct SessionBody: Encodable {
  var access_token: String
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
