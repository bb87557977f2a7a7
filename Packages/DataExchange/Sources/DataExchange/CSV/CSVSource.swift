import DataModel
import Foundation
import RecordStore

/// A folder as ``RealmExport`` writes it, a folder of CSV files named for classes, or one such file.
struct CSVSource: RecordSource {
  private(set) var schema: Schema?
  private(set) var schemaVersion: UInt64 = 0
  /// A file, the class that its name or the caller names, and the one to be made where there is no such.
  struct File {
    var path: String
    var className: String
    var inferredName: String
    var separator: UInt8
  }
  private(set) var files: [File] = []

  var size: Int { files.reduce(0) { $0 + ByteSource.size(of: $1.path) } }

  init(path: String, className: String?) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw ExchangeError("there is no such file or folder.", file: path)
    }
    guard isFolder.boolValue else {
      files = [
        File(
          path: path, className: className ?? CSVNames.className(path),
          inferredName: className ?? InferredName.className(ofFile: path),
          separator: try CSVReader.separator(of: path))
      ]
      return
    }
    if FileManager.default.fileExists(atPath: path + "/schema.json") {
      let header = try JSONSource(path: path + "/schema.json", className: nil)
      schema = header.schema
      schemaVersion = header.schemaVersion
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    files = try names.filter { $0.hasSuffix(".csv") }.sorted().map { name in
      File(
        path: path + "/" + name, className: CSVNames.className(name),
        inferredName: InferredName.className(ofFile: name),
        separator: schema == nil ? try CSVReader.separator(of: path + "/" + name) : UInt8(ascii: ","))
    }
    guard !files.isEmpty || schema != nil else { throw ExchangeError("the folder holds no .csv file.", file: path) }
  }

  func records(_ classes: Schema) throws -> any RecordReader { CSVRecords(self, classes) }
}
