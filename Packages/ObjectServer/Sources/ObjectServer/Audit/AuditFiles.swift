import Foundation

/// The files of an audit log: `audit-000001.jsonl` and so on.
enum AuditFiles {
  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "audit-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".jsonl"
  }

  static func path(_ number: Int, in folder: String) -> String { folder + "/" + name(number) }

  /// The numbers of the files, ascending.
  static func numbers(in folder: String) -> [Int] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix("audit-"), name.hasSuffix(".jsonl") else { return nil }
      return Int(name.dropFirst(6).dropLast(6))
    }.sorted()
  }

  /// The lines of a file; what is behind the last line break is left out, because it is being written.
  ///
  /// - Throws: ``ServerError/Code/dataDirectoryUnusable``
  static func lines(of number: Int, in folder: String) throws(ServerError) -> [Substring] {
    guard let data = FileManager.default.contents(atPath: path(number, in: folder)) else {
      throw ServerError(
        .dataDirectoryUnusable, "the audit log \(path(number, in: folder)) cannot be read",
        remedy: "check its permissions")
    }
    let whole = data.prefix((data.lastIndex(of: 10) ?? data.startIndex - 1) + 1)
    return whole.split(separator: 10).map { Substring(decoding: $0, as: UTF8.self) }
  }

  static func lastLine(of number: Int, in folder: String) throws(ServerError) -> AuditLine? {
    try lines(of: number, in: folder).last.flatMap { AuditLine($0) }
  }
}
