import ByteCoding
import Permissions
import Transport

/// The realm whose files a request needs, as the request names it.
struct NamedRealm: Sendable {
  /// The path as it stands in the target of the request; nil for one that stands in the body.
  private let given: String?
  private let body: [UInt8]
  /// Whether the request makes the realm.
  private(set) var isMade = false
  /// Whether the answer depends on files of the node that was asked, so that it is not passed on.
  private(set) var needsOwnFiles = false

  /// A realm by its path as it stands in a request.
  init(text: String) { self.init(given: text, body: []) }

  private init(given: String?, body: [UInt8]) {
    self.given = given
    self.body = body
  }

  /// Finds the realm of a request; nil when every node gives the answer, which needs the directory alone or is about the node.
  ///
  /// - Complexity: O(routes); the body is not looked at.
  init?(of request: HTTPRequest) {
    if AdminAPI.answers(request) {
      self.init(ofAdministration: request)
    } else {
      guard let routed = try? RoutedRequest(request) else { return nil }
      self.init(of: routed)
    }
  }

  private init?(of request: RoutedRequest) {
    switch request.route.realm {
    case .none: return nil
    case .path: self.init(text: request[.realm])
    case .query:
      guard let text = request.http.queryItem("path") else { return nil }
      self.init(text: text)
    case .body: self.init(given: nil, body: request.http.body)
    }
  }

  private init?(ofAdministration request: HTTPRequest) {
    guard let (operation, _) = try? AdminAPI.find(request, among: AdminOperation.all), operation.needsRealm else {
      return nil
    }
    if operation.body == nil {
      guard let text = request.queryItem("path") else { return nil }
      self.init(text: text)
    } else {
      self.init(given: nil, body: request.body)
    }
    isMade = operation.name == "createRealm"
    needsOwnFiles = ["startImport", "startExport"].contains(operation.name)
  }

  /// The path as it stands in the request; nil when there is none.
  ///
  /// - Complexity: O(body) for a path in the body.
  var text: String? { given ?? (try? JSONValue(parsing: body))?["path"]?.string }

  /// Whether the path is known without reading a body.
  var isInTarget: Bool { given != nil }

  /// The path for a user; nil when there is none, or it is no path.
  func path(for bearer: Bearer?) -> RealmPath? {
    guard let text else { return nil }
    let user = bearer?.user == Accounts.administratorTokenUser ? nil : bearer?.user
    let isWhole = text.hasPrefix("/") || text.hasPrefix("\"") || text.hasPrefix("{")
    return try? RealmPath(isWhole ? text : "/" + text, for: user)
  }
}

extension AdminOperation {
  /// Whether the operation needs the files of the realm that its argument `path` names: all below `realm`, the making of a realm, and
  /// those of one adapter in one realm.
  var needsRealm: Bool {
    switch segments.first {
    case "realm": true
    case "realms": method == "POST"
    case "adapters": segments.count > 1 && segments.last != "realms"
    default: false
    }
  }
}
