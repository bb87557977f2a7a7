import CommandLineKit
import Transport

/// Addresses of servers as people type them.
enum ServerAddress {
  /// The server that a text means; without a scheme it is taken for http.
  ///
  /// - Throws: `CommandFailure` for a text that is no address.
  static func parse(_ text: String) throws -> NetworkURL {
    do {
      return try NetworkURL(text.contains("://") ? text : "http://" + text)
    } catch {
      throw failure(text, error.message)
    }
  }

  static func failure(_ text: String, _ reason: String) -> CommandFailure {
    CommandFailure(
      "'\(text)' is not the address of a server: \(reason)", remedy: "give one such as http://localhost:9080")
  }
}
