import Transport

/// A request with its route and the parameters of its path.
struct RoutedRequest: Sendable {
  let route: Route
  let http: HTTPRequest
  /// The decoded parts of the path.
  let path: [String]
  private let parameters: [RouteParameter: String]

  /// A parameter of the path; empty when the route's pattern has none of that name.
  subscript(parameter: RouteParameter) -> String { parameters[parameter] ?? "" }

  /// All patterns; those with a condition on the query come first.
  private static let patterns: [(pattern: RoutePattern, route: Route)] = {
    let all = Route.allCases.flatMap { route in route.patterns.map { (pattern: $0, route: route) } }
    return all.filter { $0.pattern.query != .any } + all.filter { $0.pattern.query == .any }
  }()

  /// Finds the route of a request; doubled slashes count as one.
  ///
  /// - Throws: ``APIError`` with 404 when no route has the path, with 405 when the routes of the path have other methods.
  /// - Complexity: O(routes).
  init(_ request: HTTPRequest) throws(APIError) {
    http = request
    guard request.method != "OPTIONS" else {
      (route, path, parameters) = (.preflight, [], [:])
      return
    }
    let path = request.path.split(separator: "/").map { PercentCoding.decoded($0) ?? "" }
    self.path = path
    var methods: Set<String> = []
    for (pattern, route) in Self.patterns {
      guard let parameters = pattern.parameters(of: path) else { continue }
      methods.insert(pattern.method)
      guard pattern.method == request.method, pattern.query.isMet(by: request) else { continue }
      (self.route, self.parameters) = (route, parameters)
      return
    }
    guard !methods.isEmpty else { throw APIError(404, .notFound, "there is nothing at this path") }
    throw APIError(405, .methodNotAllowed, "use \(methods.sorted().joined(separator: " or ")) here")
  }
}
