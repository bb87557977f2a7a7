import DataModel

/// A JSON file as ``RealmExport`` writes it; or an object with arrays by the names of their classes; or one array.
struct JSONSource: RecordSource {
  let path: String
  let className: String?
  private(set) var schema: Schema?
  private(set) var schemaVersion: UInt64 = 0

  /// Ends a walk early.
  private struct Enough: Error {}

  init(path: String, className: String?) throws {
    self.path = path
    self.className = className
    var reader = try JSONReader(path: path)
    guard try !reader.isAtArray() else { return }
    var schema: Schema?
    var version: UInt64 = 0
    do {
      try reader.forEachMember { name, reader in
        switch name {
        case "schema": schema = try SchemaText.schema(try reader.value(), file: path)
        case "schemaVersion":
          if case .number(let text) = try reader.value().content { version = UInt64(text) ?? 0 }
        case "version":
          let node = try reader.value()
          guard case .number("1") = node.content else {
            throw ExchangeError(
              "the file is of version \(node.summary); this program reads version 1.", at: node.position, in: path)
          }
        case "format":
          let node = try reader.value()
          guard node.string == "openrealm" else {
            throw ExchangeError(
              "the file is of the format \(node.summary), not 'openrealm'.", at: node.position, in: path)
          }
        default: throw Enough()
        }
      }
    } catch is Enough {}
    self.schema = schema
    schemaVersion = version
  }

  var size: Int { ByteSource.size(of: path) }

  /// The class of the objects of a file that is one array: the one named, else that of the file's name.
  func arrayClass(_ known: Schema) -> String {
    if let className { return className }
    let file = CSVNames.className(path, ending: ".json")
    return known[file] == nil ? InferredName.className(ofFile: path) : file
  }

  func records(_ classes: Schema) throws -> any RecordReader { try JSONRecords(self, classes) }
}
