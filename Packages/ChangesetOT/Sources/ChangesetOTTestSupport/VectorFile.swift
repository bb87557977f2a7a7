import ChangesetOT
import FoundationEssentials

/// A file of merge vectors in the notation that it describes at its own head.
public struct VectorFile: Sendable {
  public var path: String
  public var cases: [VectorCase]

  /// Reads one file.
  public init(path: String) throws {
    self.path = path
    let json = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: URL(filePath: path)))
    cases = (json["vectors"]?.items ?? []).map(VectorCase.init)
    if cases.isEmpty { throw VectorFormatError("\(path) holds no vector") }
  }

  /// The repository's own files and those that the environment variable OPENREALM_OT_VECTORS names: files or folders,
  /// separated by colons. One that holds no case is an error.
  public static func all(testFile: String = #filePath) throws -> [VectorFile] {
    var root = URL(filePath: testFile)
    while root.path() != "/", !FileManager.default.fileExists(atPath: root.path() + "/Tests/Vectors/ot") {
      root.deleteLastPathComponent()
    }
    let named = ProcessInfo.processInfo.environment["OPENREALM_OT_VECTORS"] ?? ""
    let places = [root.path() + "/Tests/Vectors/ot"] + named.split(separator: ":").map(String.init)
    return try places.flatMap { place in
      let files = try filePaths(at: place)
      if files.isEmpty { throw VectorFormatError("\(place) holds no vector file") }
      return try files.map(VectorFile.init(path:))
    }
  }

  private static func filePaths(at place: String) throws -> [String] {
    var isDirectory = false
    guard FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory) else {
      throw VectorFormatError("\(place) does not exist")
    }
    guard isDirectory else { return [place] }
    return try FileManager.default.contentsOfDirectory(atPath: place).filter { $0.hasSuffix(".json") }.sorted()
      .map { place + "/" + $0 }
  }
}
