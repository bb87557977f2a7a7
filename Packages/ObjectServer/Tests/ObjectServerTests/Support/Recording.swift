import Foundation
import TestKit
import Testing

/// A recorded conversation between stock clients and the reference server.
struct Recording: Decodable, Sendable, CustomTestStringConvertible {
  struct Message: Decodable, Sendable {
    var conn: Int
    var from: String
    var kind: String
    var text: String?
    var head: String?
    var body_hex: String?

    var bytes: [UInt8] {
      let hex = Array(body_hex ?? "")
      let body = stride(from: 0, to: hex.count - 1, by: 2).compactMap { UInt8(String(hex[$0...($0 + 1)]), radix: 16) }
      return Array((head ?? "").utf8) + [UInt8(ascii: "\n")] + body
    }
  }

  var scenario: String
  var `protocol`: UInt16
  var messages: [Message]

  var testDescription: String { scenario }

  /// The conversations of full sync.
  static let all: [Recording] = {
    let files = RepositoryFiles.vectors("recordings", variable: "OPENREALM_RECORDINGS")
    return files.compactMap { url in
      guard let data = try? Data(contentsOf: url) else { return nil }
      return try? JSONDecoder().decode(Recording.self, from: data)
    }.filter { recording in
      !recording.messages.contains { $0.text?.contains("com.mongodb.realm-query-sync") ?? false }
    }
  }()
}
