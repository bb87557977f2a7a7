import ByteCoding
import Cryptography
import Foundation

/// A message of a webhook that its receiver did not accept.
public struct DeadLetter: Codable, Hashable, Sendable {
  /// The name of the webhook.
  public var webhook: String
  /// Names the transaction.
  public var id: String
  /// The last failure in words.
  public var reason: String
  /// The message.
  public var body: String

  /// A letter.
  public init(webhook: String, id: String, reason: String, body: String) {
    self.webhook = webhook
    self.id = id
    self.reason = reason
    self.body = body
  }
}

/// Messages that were not accepted, as files of a folder: they can be listed, and sent again. Safe to use from any thread and
/// process.
public struct DeadLetters: Sendable {
  private let folder: URL

  /// The letters in a folder, which is made when the first one is kept.
  public init(folder: String) { self.folder = URL(fileURLWithPath: folder, isDirectory: true) }

  private func file(_ letter: DeadLetter) -> URL {
    let digest = Digest.sha256.hash(Array("\(letter.webhook) \(letter.id)".utf8))
    return folder.appendingPathComponent(String(hexText(digest).prefix(32)) + ".json")
  }

  /// Keeps a letter; one of the same transaction is replaced.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory`.
  public func keep(_ letter: DeadLetter) throws {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try JSONEncoder().encode(letter).write(to: file(letter), options: .atomic)
    } catch {
      throw EventError(
        .workingDirectory, "a dead letter cannot be kept in \(folder.path)",
        remedy: "check its permissions and the disk",
        cause: error)
    }
  }

  /// All letters, those of one webhook together, in the order of their transactions' names.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory` for a file that is none.
  public func all() throws -> [DeadLetter] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        .filter { $0.pathExtension == "json" }
        .map { try JSONDecoder().decode(DeadLetter.self, from: Data(contentsOf: $0)) }
        .sorted { ($0.webhook, $0.id) < ($1.webhook, $1.id) }
    } catch {
      throw EventError(
        .workingDirectory, "the dead letters in \(folder.path) cannot be read", remedy: "remove the file that is none",
        cause: error)
    }
  }

  /// Sends every letter again, and removes those that are accepted.
  ///
  /// - Parameter sender: the sender of a webhook; nil for one that there is no more, whose letters stay.
  /// - Returns: the letters that were accepted, and those that were not, with the new reasons.
  /// - Throws: ``EventError`` when the folder cannot be read or written.
  public func sendAgain(
    _ sender: (_ webhook: String) -> WebhookSender?
  ) async throws -> (accepted: [DeadLetter], refused: [DeadLetter]) {
    var (accepted, refused): ([DeadLetter], [DeadLetter]) = ([], [])
    for var letter in try all() {
      guard let sender = sender(letter.webhook) else { continue }
      do {
        try await sender.send(Array(letter.body.utf8), id: letter.id)
        try FileManager.default.removeItem(at: file(letter))
        accepted.append(letter)
      } catch {
        letter.reason = "\(error)"
        try keep(letter)
        refused.append(letter)
      }
    }
    return (accepted, refused)
  }
}
