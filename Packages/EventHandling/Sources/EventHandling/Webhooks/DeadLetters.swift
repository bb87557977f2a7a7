import ByteCoding
import Cryptography
import Foundation

/// A message of a webhook that its receiver did not accept.
public struct DeadLetter: Codable, Hashable, Sendable {
  /// The name of the webhook.
  public var webhook: String
  /// Names the transaction.
  public var event: String
  /// The last failure in words.
  public var reason: String
  /// The message.
  public var body: String

  /// A letter.
  public init(webhook: String, event: String, reason: String, body: String) {
    self.webhook = webhook
    self.event = event
    self.reason = reason
    self.body = body
  }

  /// The name of the letter among all: 32 hexadecimal digits, the same for the same transaction.
  public var id: String { String(hexText(Digest.sha256.hash(Array("\(webhook) \(event)".utf8))).prefix(32)) }
}

/// Messages that were not accepted, as files of a folder: they can be listed, and sent again. Safe to use from any thread and
/// process.
public struct DeadLetters: Sendable {
  /// The most letters in a folder.
  public static let maximumLetters = 10_000

  private let folder: URL

  /// The letters in a folder, which is made when the first one is kept.
  public init(folder: String) { self.folder = URL(fileURLWithPath: folder, isDirectory: true) }

  private func file(_ id: String) -> URL { folder.appendingPathComponent(id + ".json") }

  /// Keeps a letter, durably; one of the same transaction is replaced.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory`, also when there are ``maximumLetters``.
  public func keep(_ letter: DeadLetter) throws {
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let file = file(letter.id)
      guard try FileManager.default.fileExists(atPath: file.path) || ids().count < Self.maximumLetters else {
        throw EventError(
          .workingDirectory, "there are \(Self.maximumLetters) dead letters", remedy: "send them again, or remove them")
      }
      try JSONEncoder().encode(letter).write(to: file, options: .atomic)
    } catch let error as EventError {
      throw error
    } catch {
      throw unusable("kept", error)
    }
  }

  /// All letters, those of one webhook together, in the order of their transactions' names.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory` for a file that is none.
  /// - Complexity: O(*n*) in the bytes of the letters, which are in memory.
  public func all() throws -> [DeadLetter] {
    do {
      return try ids().compactMap { try letter($0) }.sorted { ($0.webhook, $0.event) < ($1.webhook, $1.event) }
    } catch {
      throw unusable("read", error)
    }
  }

  /// The letter of an id; nil when there is none.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory` for a file that is none.
  public func letter(_ id: String) throws -> DeadLetter? {
    // Only a name that a letter can have becomes part of a path.
    guard id.utf8.count == 32, id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
      return nil
    }
    guard FileManager.default.fileExists(atPath: file(id).path) else { return nil }
    do { return try JSONDecoder().decode(DeadLetter.self, from: Data(contentsOf: file(id))) } catch {
      throw unusable("read", error)
    }
  }

  /// Removes a letter.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``EventError`` with code `workingDirectory`.
  @discardableResult
  public func remove(_ id: String) throws -> Bool {
    guard try letter(id) != nil else { return false }
    do { try FileManager.default.removeItem(at: file(id)) } catch { throw unusable("removed", error) }
    return true
  }

  private func ids() throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }.map { $0.deletingPathExtension().lastPathComponent }
  }

  private func unusable(_ verb: String, _ cause: any Error) -> EventError {
    EventError(
      .workingDirectory, "a dead letter cannot be \(verb) in \(folder.path)",
      remedy: "check the folder's permissions and the disk", cause: cause)
  }
}
