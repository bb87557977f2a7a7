import CommandLineKit
import DataExchange
import Foundation
import ObjectStore
import RecordStore

/// Opening files, and the errors that come of it.
extension RealmTool {
  static let fileArgument = CommandArgument.one("file", kind: .nonEmptyText, help: "The realm file.")

  /// The file that a command names, opened as it is.
  ///
  /// - Parameter writable: whether the command writes, or needs the file for itself meanwhile.
  static func open(
    _ invocation: Invocation, argument: String = "file", writable: Bool = false
  ) throws -> RealmFile {
    try open(invocation.argument(argument) ?? "", invocation, writable: writable)
  }

  /// The file at a path, opened as it is with the key that the options name.
  static func open(_ path: String, _ invocation: Invocation, writable: Bool = false) throws -> RealmFile {
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard !isFolder.boolValue else {
      throw CommandFailure(
        "\(path) is a folder", remedy: "name a realm file", code: "isAFolder", details: [("file", .text(path))])
    }
    guard exists else {
      throw CommandFailure(
        "there is no file \(path)", remedy: "check the name; 'realm import' makes new files", code: "noSuchFile",
        details: [("file", .text(path))])
    }
    var options = RealmFile.Options(
      recordsChangesets: false, createsIfMissing: false, encryptionKey: try key(invocation, "key-file"))
    options.isReadOnly = !writable
    return try failing("cannot open \(path)") { try RealmFile.open(.file(path: path), options: options) }
  }

  /// The key in the file that an option names.
  static func key(_ invocation: Invocation, _ option: String) throws -> [UInt8]? {
    guard let path = invocation.text(option) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure(
        "the key file \(path) cannot be read", remedy: "check its name and permissions", code: "noSuchFile")
    }
    if data.count == 64 { return Array(data) }
    let digits = data.filter { $0 > 0x20 }
    let values = digits.map { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == 128, values.allSatisfy({ $0 != nil }) else {
      throw CommandFailure(
        "the key file \(path) holds no key", remedy: "it must hold 64 bytes, or 128 hexadecimal digits",
        code: "badKeyFile")
    }
    return stride(from: 0, to: 128, by: 2).map { UInt8((values[$0] ?? 0) << 4 | (values[$0 + 1] ?? 0)) }
  }

  /// A size for people.
  static func size(_ bytes: Int) -> String {
    switch bytes {
    case ..<10_000: "\(bytes) B"
    case ..<10_000_000: "\(bytes / 1000) kB"
    default: "\(bytes / 1_000_000) MB"
    }
  }
}
