import Foundation
import TestKit

/// The recorded conversation of a stock client: its HTTP calls, then its sync connection.
struct StockRecording: Decodable {
  var messages: [RecordedMessage]

  static func read(_ name: String) throws -> StockRecording {
    let files = RepositoryFiles.vectors("recordings", variable: "OPENREALM_RECORDINGS")
    guard let file = files.first(where: { $0.lastPathComponent == name }) else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
    }
    return try JSONDecoder().decode(StockRecording.self, from: Data(contentsOf: file))
  }
}

extension RecordedMessage {
  var isHTTP: Bool { kind == "http" }
  /// The first word of a message of a WebSocket: its kind.
  var word: String { String((head ?? "").prefix { $0 != " " }) }
  /// The number behind the first word, counted from 1.
  func number(_ index: Int) -> String {
    let words = (head ?? "").split(separator: " ")
    return index < words.count ? String(words[index]) : ""
  }
}

/// A request or a response of HTTP as the recordings have it: the first line, headers, body.
struct RecordedHTTP {
  var line: [String]
  var headers: [(name: String, value: String)]
  var body: String

  init(_ text: String) {
    let parts = text.components(separatedBy: "\r\n\r\n")
    let lines = (parts.first ?? "").components(separatedBy: "\r\n")
    line = (lines.first ?? "").split(separator: " ").map(String.init)
    headers = lines.dropFirst().compactMap { line in
      guard let colon = line.range(of: ": ") else { return nil }
      return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
    }
    body = parts.dropFirst().joined(separator: "\r\n\r\n")
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The shape of a JSON document: names and kinds, no values.
indirect enum JSONShape: Equatable, CustomStringConvertible {
  case text, number, truth, null
  case list(JSONShape?)
  case object([String: JSONShape])

  init(_ value: Any) {
    switch value {
    case is String: self = .text
    case let number as NSNumber: self = Self.isTruth(number) ? .truth : .number
    case let list as [Any]: self = .list(list.first.map { JSONShape($0) })
    case let object as [String: Any]: self = .object(object.mapValues { JSONShape($0) })
    default: self = .null
    }
  }

  init(json: String) throws {
    self.init(try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed))
  }

  private static func isTruth(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }

  /// Whether a document of this shape has all that one of another shape has.
  func covers(_ other: JSONShape) -> Bool {
    switch (self, other) {
    case (.object(let own), .object(let asked)):
      asked.allSatisfy { name, shape in own[name].map { $0.covers(shape) } ?? false }
    case (.list(let own), .list(let asked)): asked.map { asked in own.map { $0.covers(asked) } ?? false } ?? true
    default: self == other
    }
  }

  var description: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .truth: "truth"
    case .null: "null"
    case .list(let element): "[\(element.map(\.description) ?? "")]"
    case .object(let members):
      "{" + members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
    }
  }
}
