import Foundation

/// The formats of exports and imports.
public enum ExchangeFormat: String, CaseIterable, Sendable {
  /// One text file with schema and objects.
  case json
  /// A folder with one file per class, after RFC 4180, and the schema beside them.
  case csv
  /// A SQLite database with one table per class and per collection.
  case sqlite

  /// The endings of names that say a format, for people.
  public static let endings = ".json, .csv (a folder), .sqlite, .sqlite3 or .db"

  /// The format of a path's extension; nil for an unknown one.
  public init?(path: String) {
    switch (path as NSString).pathExtension.lowercased() {
    case "json": self = .json
    case "csv": self = .csv
    case "sqlite", "sqlite3", "db": self = .sqlite
    default: return nil
    }
  }

  /// The format of what is at a path: CSV for a folder, else that of the extension, else that of the content; nil where none
  /// of them tells.
  public init?(ofFile path: String) {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      self = .csv
    } else if let named = ExchangeFormat(path: path) {
      self = named
    } else if ["tsv", "tab", "txt"].contains((path as NSString).pathExtension.lowercased()) {
      self = .csv
    } else {
      let handle = FileHandle(forReadingAtPath: path)
      let start = Array((try? handle?.read(upToCount: 4096)) ?? Data())
      if start.starts(with: Array("SQLite format 3\0".utf8)) {
        self = .sqlite
      } else {
        let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start[...]
        guard let first = text.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        self = .json
      }
    }
  }
}
