import ByteCoding
import Cryptography
import Foundation
public import ObjectServer

/// Messages that were not accepted, as files of a folder: they can be listed, and sent again. The first line of a file says what
/// the letter is, as JSON; the message follows. Safe to use from any thread and process.
public struct DeadLetters: Sendable {
  /// The most letters in a folder.
  public static let maximumLetters = 10_000
  /// The most bytes of their files, beyond which none is kept.
  public static let maximumBytes = 4 << 30
  /// The most characters of a reason; further ones are left out.
  public static let longestReason = 2_000
  /// More than the first line of a file can have.
  private static let headBytes = 1 << 16

  private let folder: URL

  /// The letters in a folder, which is made when the first one is kept.
  public init(folder: String) { self.folder = URL(fileURLWithPath: folder, isDirectory: true) }

  private func file(_ id: String) -> URL { folder.appendingPathComponent(id + ".letter") }

  /// Keeps a message, durably; one of the same webhook and transaction is replaced.
  ///
  /// - Parameters:
  ///   - event: names the transaction.
  ///   - reason: the last failure in words.
  /// - Throws: ``EventError`` with code `workingDirectory`, also when there are ``maximumLetters`` or ``maximumBytes``.
  public func keep(_ body: [UInt8], of webhook: String, event: String, reason: String) throws {
    let letter = DeadLetter(
      id: Self.id(of: webhook, event: event), webhook: webhook, event: event,
      reason: String(reason.prefix(Self.longestReason)), bytes: body.count)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let file = file(letter.id)
      guard try FileManager.default.fileExists(atPath: file.path) || hasRoom(for: body.count) else {
        throw EventError(
          .workingDirectory, "there are \(Self.maximumLetters) dead letters, or \(Self.maximumBytes >> 30) GiB of them",
          remedy: "send them again, or remove them")
      }
      try (JSONEncoder().encode(letter) + [0x0A] + body).write(to: file, options: .atomic)
    } catch let error as EventError {
      throw error
    } catch {
      throw unusable("kept", error)
    }
  }

  /// The id of the letter of a transaction: 32 hexadecimal digits, always the same.
  static func id(of webhook: String, event: String) -> String {
    String(hexText(Digest.sha256.hash(Array("\(webhook) \(event)".utf8))).prefix(32))
  }

  /// All letters without their messages, by id.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory` for a file that is none.
  /// - Complexity: O(*n*) in the letters, whatever the sizes of their messages.
  public func all() throws -> [DeadLetter] {
    do {
      return try files().map { $0.deletingPathExtension().lastPathComponent }.sorted().compactMap { try letter($0) }
    } catch let error as EventError {
      throw error
    } catch {
      throw unusable("read", error)
    }
  }

  /// The letter of an id; nil when there is none.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory` for a file that is none.
  public func letter(_ id: String) throws -> DeadLetter? {
    try read(id) { file in try file.read(upToCount: Self.headBytes) ?? Data() }?.letter
  }

  /// The letter of an id with its message; nil when there is none.
  ///
  /// - Throws: ``EventError`` with code `workingDirectory` for a file that is none.
  public func message(_ id: String) throws -> (letter: DeadLetter, body: [UInt8])? {
    try read(id) { file in try file.readToEnd() ?? Data() }
  }

  private func read(
    _ id: String, _ bytes: (FileHandle) throws -> Data
  ) throws -> (letter: DeadLetter, body: [UInt8])? {
    // Only a name that a letter can have becomes part of a path.
    guard id.utf8.count == 32, id.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      FileManager.default.fileExists(atPath: file(id).path)
    else { return nil }
    do {
      let handle = try FileHandle(forReadingFrom: file(id))
      defer { try? handle.close() }
      let data = try bytes(handle)
      let head = data.prefix { $0 != 0x0A }
      return (try JSONDecoder().decode(DeadLetter.self, from: head), Array(data.dropFirst(head.count + 1)))
    } catch {
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

  private func files() throws -> [URL] {
    guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.fileSizeKey])
      .filter { $0.pathExtension == "letter" }
  }

  private func hasRoom(for bytes: Int) throws -> Bool {
    let files = try files()
    let used = try files.reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
    return files.count < Self.maximumLetters && used + bytes <= Self.maximumBytes
  }

  private func unusable(_ verb: String, _ cause: any Error) -> EventError {
    EventError(
      .workingDirectory, "a dead letter cannot be \(verb) in \(folder.path)",
      remedy: "check the folder's permissions and the disk", cause: cause)
  }
}
