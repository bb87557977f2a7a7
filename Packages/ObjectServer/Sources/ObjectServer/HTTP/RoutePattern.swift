import Transport

/// A method, a path with parameters in braces, and a condition on the query.
///
///     RoutePattern("DELETE", "api/openrealm/v1/offers/{token}")
struct RoutePattern: Hashable, Sendable {
  /// A condition on the query of a request.
  enum Query: Hashable, Sendable {
    case any
    case present(String)
    case value(String, String)

    func isMet(by request: HTTPRequest) -> Bool {
      switch self {
      case .any: true
      case .present(let name): request.queryItem(name) != nil
      case .value(let name, let value): request.queryItem(name) == value
      }
    }
  }

  enum Segment: Hashable, Sendable {
    case literal(String)
    case parameter(RouteParameter)
    /// Everything that follows, at least one part: `{realm*}`.
    case rest(RouteParameter)
  }

  let method: String
  let segments: [Segment]
  let query: Query

  init(_ method: String, _ path: String, query: Query = .any) {
    self.method = method
    self.query = query
    segments = path.split(separator: "/").map { text in
      if text.hasSuffix("*}"), let parameter = RouteParameter(rawValue: String(text.dropFirst().dropLast(2))) {
        return .rest(parameter)
      }
      guard text.hasPrefix("{"), let parameter = RouteParameter(rawValue: String(text.dropFirst().dropLast())) else {
        return .literal(String(text))
      }
      return .parameter(parameter)
    }
  }

  /// The parameters of a path; nil when the path is another.
  ///
  /// - Complexity: O(segments).
  func parameters(of path: [String]) -> [RouteParameter: String]? {
    var found: [RouteParameter: String] = [:]
    for (index, segment) in segments.enumerated() {
      guard index < path.count else { return nil }
      switch segment {
      case .literal(let literal): if literal != path[index] { return nil }
      case .parameter(let parameter): found[parameter] = path[index]
      case .rest(let parameter):
        found[parameter] = path[index...].joined(separator: "/")
        return found
      }
    }
    return path.count == segments.count ? found : nil
  }
}

/// A variable part of a path.
enum RouteParameter: String, Hashable, Sendable {
  case app, provider, name, id, token, realm
}
