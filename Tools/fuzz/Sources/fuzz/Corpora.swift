import Foundation
import TestKit

/// The messages of every recorded conversation that one side sent: head, newline, body.
func recordedMessages(from side: String) -> [[UInt8]] {
  RepositoryFiles.vectors("recordings", variable: "OPENREALM_RECORDINGS").flatMap { url -> [[UInt8]] in
    guard let data = try? Data(contentsOf: url),
      let recording = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let messages = recording["messages"] as? [[String: Any]]
    else { return [] }
    return messages.compactMap { message in
      guard message["from"] as? String == side, let head = message["head"] as? String,
        let body = (message["body_hex"] as? String).flatMap(hexadecimal)
      else { return nil }
      return Array(head.utf8) + [0x0A] + body
    }
  }
}

/// The query texts of the vectors.
func recordedQueries() -> [[UInt8]] {
  RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS").flatMap { url -> [[UInt8]] in
    guard let data = try? Data(contentsOf: url),
      let file = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let vectors = file["vectors"] as? [[String: Any]]
    else { return [] }
    return vectors.compactMap { ($0["query"] as? String).map { Array($0.utf8) } }
  }
}

private func hexadecimal(_ text: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  var rest = Substring(text)
  while let first = rest.popFirst() {
    guard let second = rest.popFirst(), let byte = UInt8(String([first, second]), radix: 16) else { return nil }
    bytes.append(byte)
  }
  return bytes
}
