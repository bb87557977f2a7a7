import Foundation
import TestKit
import Testing

/// A recorded conversation between stock clients and the reference server.
struct Recording: Decodable, Sendable, CustomTestStringConvertible {
  var scenario: String
  var `protocol`: UInt16
  var messages: [RecordedMessage]

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
