public import Foundation

/// The files that tests share: golden bytes, vectors, recorded conversations.
public enum RepositoryFiles {
  /// The root of the checkout that `file` belongs to: the nearest folder above it that holds `Tests/Vectors`.
  public static func root(from file: String = #filePath) -> URL {
    var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: folder.appendingPathComponent("Tests/Vectors").path) { return folder }
      folder = folder.deletingLastPathComponent()
    }
    return folder
  }

  /// The JSON files of `Tests/Vectors/<folder>`, and those that the colon-separated files and folders in the
  /// environment variable `variable` name, in order of their names.
  public static func vectors(_ folder: String, variable: String, from file: String = #filePath) -> [URL] {
    let own = root(from: file).appendingPathComponent("Tests/Vectors").appendingPathComponent(folder)
    return json(at: own) + additional(variable).flatMap(json)
  }

  /// The files and folders that the environment variable names.
  public static func additional(_ variable: String) -> [URL] {
    let text = ProcessInfo.processInfo.environment[variable] ?? ""
    return text.split(separator: ":").map { URL(fileURLWithPath: String($0)) }
  }

  /// The file itself, or the JSON files of the folder in order of their names.
  public static func json(at url: URL) -> [URL] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else { return [] }
    guard isDirectory.boolValue else { return [url] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.sorted().map { url.appendingPathComponent($0) }
  }
}
