import ByteCoding
import ChangesetOT
import FoundationEssentials

/// A file of merge vectors; its head describes the notation.
public struct VectorFile: Sendable {
  /// The path of the file.
  public var path: String
  /// The vectors, at least one.
  public var cases: [VectorCase]

  /// Reads one file.
  ///
  /// - Throws: an error when the file cannot be read, is no JSON or contains no vector.
  public init(path: String) throws {
    self.path = path
    let json = try JSONValue(parsing: Array(Data(contentsOf: URL(filePath: path))))
    cases = (json["vectors"]?.elements ?? []).map(VectorCase.init)
    if cases.isEmpty { throw VectorFormatError("\(path) contains no vector") }
  }

  /// The files of the repository and those named by the environment variable OPENREALM_OT_VECTORS: files or folders,
  /// separated by colons.
  ///
  /// - Throws: an error when a file cannot be read, or a file or folder contains no vector.
  public static func all(testFile: String = #filePath) throws -> [VectorFile] {
    var root = URL(filePath: testFile)
    while root.path() != "/", !FileManager.default.fileExists(atPath: root.path() + "/Tests/Vectors/ot") {
      root.deleteLastPathComponent()
    }
    let named = ProcessInfo.processInfo.environment["OPENREALM_OT_VECTORS"] ?? ""
    let paths = [root.path() + "/Tests/Vectors/ot"] + named.split(separator: ":").map(String.init)
    return try paths.flatMap { path in
      let files = try filePaths(at: path)
      if files.isEmpty { throw VectorFormatError("\(path) contains no vector file") }
      return try files.map(VectorFile.init(path:))
    }
  }

  private static func filePaths(at path: String) throws -> [String] {
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw VectorFormatError("\(path) does not exist")
    }
    guard isDirectory else { return [path] }
    return try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".json") }.sorted()
      .map { path + "/" + $0 }
  }
}
