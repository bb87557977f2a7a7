import Foundation
import Synchronization
import Telemetry

/// The files of imports and exports of a running server: sent in parts before an import, fetched after an export. They live in a
/// folder of the data directory until they are removed, for an hour, or until the server starts again.
final class ExchangeFiles: Sendable {
  /// The most files at a time.
  static let mostFiles = 16
  /// The most bytes of one file that is sent.
  static let mostBytes = 2 << 30
  /// The time after which a file is removed.
  static let lifetime: Int64 = 3_600_000

  private struct Entry {
    var number: Int64
    var name: String
    var madeAt: WallTime
  }

  private struct Content {
    var entries: [Entry] = []
    var last: Int64 = 0
    var isCleared = false
  }

  private let folder: String
  private let content = Mutex(Content())

  /// - Parameter folder: nothing else is in it.
  init(folder: String) { self.folder = folder }

  /// A place for a new file or folder. Nothing is made there.
  ///
  /// - Parameters:
  ///   - name: its name for people; the ending says the format.
  ///   - isUsed: whether a file stays although its time is over.
  /// - Throws: ``APIError`` with 409 when there are too many; ``ServerError`` when the folder cannot be made.
  func begin(
    _ name: String, at now: WallTime, keeping isUsed: (Int64) -> Bool
  ) throws -> (number: Int64, path: String) {
    func isOver(_ entry: Entry) -> Bool {
      now.millisecondsSince1970 - entry.madeAt.millisecondsSince1970 > Self.lifetime && !isUsed(entry.number)
    }
    let number = try content.withLock { content -> Int64 in
      if !content.isCleared {
        try? FileManager.default.removeItem(atPath: folder)
        content.isCleared = true
      }
      for old in content.entries.filter(isOver) { try? FileManager.default.removeItem(atPath: place(old)) }
      content.entries.removeAll(where: isOver)
      guard content.entries.count < Self.mostFiles else {
        throw APIError(
          409, .realmConflict, "\(Self.mostFiles) files of imports and exports are there: remove some, or wait an hour")
      }
      content.last += 1
      content.entries.append(Entry(number: content.last, name: name, madeAt: now))
      return content.last
    }
    try PrivateFolder.make(folder)
    return (number, try path(number))
  }

  /// The path of a file on disk, and its name for people.
  ///
  /// - Throws: ``APIError`` with 404
  func found(_ number: Int64) throws(APIError) -> (path: String, name: String) {
    guard let entry = content.withLock({ $0.entries.first { $0.number == number } }) else {
      throw APIError(404, .notFound, "there is no such file, or it was removed")
    }
    return (place(entry), entry.name)
  }

  func path(_ number: Int64) throws(APIError) -> String { try found(number).path }

  /// Adds bytes at the end of a file.
  ///
  /// - Parameter offset: its length so far, so that a part that is sent twice is no part of it twice.
  /// - Returns: the length.
  /// - Throws: ``APIError`` with 404, with 409 for another offset; the errors of the disk.
  func append(_ bytes: [UInt8], at offset: Int64, to number: Int64) throws -> Int64 {
    let path = try path(number)
    if !FileManager.default.fileExists(atPath: path) {
      guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]) else {
        throw APIError.storage
      }
    }
    guard let handle = FileHandle(forUpdatingAtPath: path) else { throw APIError.storage }
    defer { try? handle.close() }
    let length = Int64(try handle.seekToEnd())
    guard length == offset else { throw APIError(409, .realmConflict, "the file has \(length) bytes, not \(offset)") }
    guard length + Int64(bytes.count) <= Self.mostBytes else {
      throw APIError(409, .realmConflict, "the file is larger than \(Self.mostBytes >> 20) MB: use 'realm import'")
    }
    try handle.write(contentsOf: Data(bytes))
    return length + Int64(bytes.count)
  }

  /// Removes a file.
  func remove(_ number: Int64) {
    let removed = content.withLock { content -> Entry? in
      content.entries.firstIndex { $0.number == number }.map { content.entries.remove(at: $0) }
    }
    if let removed { try? FileManager.default.removeItem(atPath: place(removed)) }
  }

  /// The ending tells the format; no other part of the name reaches the disk.
  private func place(_ entry: Entry) -> String {
    let ending = entry.name.split(separator: ".").last.map(String.init) ?? ""
    let known = ["json", "csv", "tsv", "sqlite", "sqlite3", "db"]
    return "\(folder)/\(entry.number)" + (known.contains(ending.lowercased()) ? ".\(ending.lowercased())" : "")
  }
}
