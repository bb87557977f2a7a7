public import Foundation

/// The folder in which a program keeps what it knows between runs: `$XDG_STATE_HOME/openrealm/NAME`, or one that an option
/// names.
///
///     let folder = try StateFolder(of: "todo", named: nil, environment: ["HOME": "/home/ann"], purpose: "the lists")
///     folder.path                                 // /home/ann/.local/state/openrealm/todo
///     StateFolder.fileName("localhost:9080")      // localhost_3a9080
public struct StateFolder: Hashable, Sendable {
  /// The absolute path of the folder.
  public let path: String

  /// The folder of a program; made if it is missing, for its owner only. One that an option names is made only for work that
  /// writes: a mistyped name is an error of a command that reads.
  ///
  /// - Parameters:
  ///   - program: the name of the program, its folder by default.
  ///   - data: the folder that an option names; nil without one.
  ///   - environment: the environment of the process.
  ///   - purpose: words for the error, as in "the lists".
  ///   - isReading: whether the work only reads.
  /// - Throws: ``CommandFailure`` when there is none, or it cannot be made.
  public init(
    of program: String, named data: String?, environment: [String: String], purpose: String, isReading: Bool = false
  ) throws {
    if let data {
      path = URL(fileURLWithPath: data).standardizedFileURL.path
      guard !isReading || FileManager.default.fileExists(atPath: path) else {
        throw CommandFailure(
          "there is no folder \(path)", remedy: "check '--data'; commands that write make it", code: "noSuchFile",
          details: [("file", .text(path))])
      }
    } else if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      path = "\(state)/openrealm/\(program)"
    } else if let home = environment["HOME"], home.hasPrefix("/") {
      path = "\(home)/.local/state/openrealm/\(program)"
    } else {
      throw CommandFailure(
        "there is no folder for \(purpose)", remedy: "set HOME, or name a folder with '--data DIR'")
    }
    try Self.makeFolder(path)
  }

  /// Makes a folder, and those above it, for their owner only. Does nothing where it is.
  ///
  /// - Throws: ``CommandFailure`` when it cannot be made.
  public static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandFailure(
        "cannot make the folder '\(path)'", remedy: "check its permissions, or name another with '--data DIR'")
    }
  }

  /// The file of a realm by the parts of its name; its folder is made if it is missing.
  ///
  /// - Throws: ``CommandFailure`` when that cannot be made.
  public func realmFile(_ parts: [String]) throws -> URL {
    let file = URL(fileURLWithPath: path + "/realms/" + parts.map(Self.fileName).joined(separator: "/") + ".realm")
    try Self.makeFolder(file.deletingLastPathComponent().path)
    return file
  }

  /// A text as the name of a file, at most 180 characters: other ones than letters, digits and `-` become `_` and their bytes.
  public static func fileName(_ text: String) -> String {
    let name = text.utf8.map { byte -> String in
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
      if isPlain { return String(UnicodeScalar(byte)) }
      return "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }.joined()
    return String(name.prefix(180))
  }
}
