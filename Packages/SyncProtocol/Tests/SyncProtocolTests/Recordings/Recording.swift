import Foundation
import SyncProtocol
import TestKit

/// One recorded conversation.
struct Recording: Decodable {
  var scenario: String
  var messages: [RecordedMessage]

  /// A whole sync message with who sent it and in which dialect.
  struct Line {
    var scenario: String
    var index: Int
    var connection: Int
    var isClient: Bool
    var isLost: Bool
    var dialect: Dialect
    var bytes: [UInt8]
    var text: String { String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self) }
  }

  /// The sync messages, each in the dialect that its connection negotiated.
  func lines() -> [Line] {
    var dialects: [Int: Dialect] = [:]
    var lines: [Line] = []
    for (index, message) in messages.enumerated() {
      if let text = message.text, message.from == "server", let dialect = Self.dialect(inResponse: text) {
        dialects[message.conn] = dialect
      }
      guard message.kind == "binary", message.head != nil else { continue }
      lines.append(
        Line(
          scenario: scenario, index: index, connection: message.conn, isClient: message.isClient,
          isLost: message.lost ?? false, dialect: dialects[message.conn] ?? Dialect(),
          bytes: message.bytes))
    }
    return lines
  }

  private static func dialect(inResponse text: String) -> Dialect? {
    for line in text.split(whereSeparator: \.isNewline) where line.lowercased().hasPrefix("sec-websocket-protocol:") {
      let token = line.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
      if case .offer(let offer) = SubprotocolOffer.reading(token) {
        return Dialect(offer.flavour, offer.versions.upperBound)
      }
    }
    return nil
  }

  /// All recordings: the repository's, and those that OPENREALM_RECORDINGS names.
  static func all() throws -> [(name: String, recording: Recording)] {
    try RepositoryFiles.vectors("recordings", variable: "OPENREALM_RECORDINGS").map { url in
      (url.lastPathComponent, try JSONDecoder().decode(Recording.self, from: Data(contentsOf: url)))
    }
  }
}
