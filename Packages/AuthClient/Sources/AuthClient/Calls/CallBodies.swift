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
  var key: String?
  var options = Options()

  struct Options: Encodable, Sendable {
    var device = ["sdk": "OpenRealm", "platform": "Linux"]
  }
}

struct LegacyLoginBody: Encodable, Sendable {
  var provider: String
  var data: String
  var app_id: String
  var user_info: [String: AuthCredentials.Fact]
}

extension AuthCredentials.Fact: Encodable {
  /// Encodes the text, truth value or number alone.
  ///
  /// - Throws: the error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    }
  }
}

struct LegacyLoginAnswer: Decodable, Sendable {
  struct Token: Decodable, Sendable {
    struct Facts: Decodable, Sendable {
      var identity: String
      var is_admin: Bool?
    }
    var token: String
    var token_data: Facts
  }
  var refresh_token: Token
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
  var data: [String: ProfileText]

  var profile: UserProfile {
    UserProfile(
      id: user_id.map { UserId($0) },
      identities: identities.map { UserProfile.Identity(id: $0.id, provider: $0.provider_type) },
      data: data.compactMapValues(\.text))
  }
}

/// A member of a profile; only texts count.
struct ProfileText: Decodable, Sendable {
  var text: String?

  init(from decoder: any Decoder) throws { text = try? decoder.singleValueContainer().decode(String.self) }
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

/// The documented answer of a look-up; servers that know less leave members out.
struct AccountInfoAnswer: Decodable, Sendable {
  struct Account: Decodable, Sendable {
    var provider: String
    var provider_id: String
  }
  struct Entry: Decodable, Sendable {
    var key: String
    var value: String
  }
  var user_id: String?
  var userId: String?
  var is_admin: Bool?
  var isAdmin: Bool?
  var accounts: [Account]?
  var metadata: [Entry]?
}
