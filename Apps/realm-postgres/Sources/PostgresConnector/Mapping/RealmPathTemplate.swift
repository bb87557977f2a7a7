/// The path of the realm that a row belongs to, with columns of the row in braces; and the columns that a path gives to rows.
///
///     let template = try RealmPathTemplate("/{owner}/shop")
///     template.path { $0 == "owner" ? "ann" : nil }        // "/ann/shop"
///     template.columns(of: "/ann/shop")                    // ["owner": "ann"]
///
/// A segment may be put together, as in `/{region}-{number}/shop`: a value reaches to the next text of the template, which it must not
/// have in it.
struct RealmPathTemplate: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case fixed(String)
    case column(String)
  }

  private let parts: [Part]

  /// - Throws: ``ConfigurationError`` for a text that is no path.
  init(_ text: String) throws {
    guard text.hasPrefix("/"), text.count > 1, !text.hasSuffix("/"), !text.contains("//") else {
      throw ConfigurationError("'\(text)' is no path of a realm, such as '/shop' or '/{owner}/shop'")
    }
    var parts: [Part] = []
    var rest = text[...]
    while !rest.isEmpty {
      let fixed = rest.prefix { $0 != "{" && $0 != "}" }
      rest = rest.dropFirst(fixed.count)
      if !fixed.isEmpty { parts.append(.fixed(String(fixed))) }
      guard let brace = rest.popFirst() else { break }
      let name = rest.prefix { $0 != "{" && $0 != "}" && $0 != "/" }
      rest = rest.dropFirst(name.count)
      guard brace == "{", !name.isEmpty, rest.popFirst() == "}" else {
        throw ConfigurationError("in '\(text)' the braces do not hold the name of a column, as in '/{owner}/shop'")
      }
      if case .column? = parts.last {
        throw ConfigurationError("in '\(text)' nothing stands between two columns")
      }
      parts.append(.column(String(name)))
    }
    self.parts = parts
  }

  /// The columns, in order.
  var columns: [String] { parts.compactMap { if case .column(let name) = $0 { name } else { nil } } }

  /// The path of a row; nil when a column is null or cannot be a part of a path.
  func path(_ value: (String) -> String?) -> String? {
    var path = ""
    for (index, part) in parts.enumerated() {
      switch part {
      case .fixed(let text): path += text
      case .column(let name):
        guard let text = value(name), !text.isEmpty, !text.contains("/") else { return nil }
        if index + 1 < parts.count, case .fixed(let next) = parts[index + 1], !next.hasPrefix("/"), text.contains(next)
        {
          return nil
        }
        path += text
      }
    }
    return path
  }

  /// The columns that a path gives; nil for a path of another form.
  func columns(of path: String) -> [String: String]? {
    var columns: [String: String] = [:]
    var rest = path[...]
    for (index, part) in parts.enumerated() {
      switch part {
      case .fixed(let text):
        guard rest.hasPrefix(text) else { return nil }
        rest = rest.dropFirst(text.count)
      case .column(let name):
        var value = rest.prefix { $0 != "/" }
        if index + 1 < parts.count, case .fixed(let next) = parts[index + 1], !next.hasPrefix("/") {
          guard let end = value.firstRange(of: next.prefix { $0 != "/" }) else { return nil }
          value = value[..<end.lowerBound]
        }
        guard !value.isEmpty else { return nil }
        columns[name] = String(value)
        rest = rest.dropFirst(value.count)
      }
    }
    return rest.isEmpty ? columns : nil
  }
}
