import CommandLineKit
import DataModel
import Foundation
import RecordStore
import RealmTool
import Synchronization
import Testing

/// A realm file with dogs, in a folder of its own.
final class Kennel: Sendable {
  let folder: String
  var file: String { folder + "/dogs.realm" }

  init() throws {
    folder = NSTemporaryDirectory() + "realm-tool-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let realm = try RealmFile.open(.file(path: file))
    try realm.edit { editor in
      try editor.addClasses(
        Schema([
          ObjectSchema(
            className: "Dog", primaryKey: "id",
            properties: [
              Property(name: "id", type: .int, isIndexed: true), Property(name: "name", type: .string),
              Property(name: "age", type: .int),
              Property(name: "owner", type: .object, objectClassName: "Person", isOptional: true),
            ]),
          ObjectSchema(className: "Person", properties: [Property(name: "name", type: .string)]),
        ]))
      let ann = ObjectReference(className: "Person", key: .global(GlobalKey(high: 7, low: 1)))
      try editor.create(ann)
      try editor.set(["name": .value("Ann")], of: ann)
      for (id, name, age) in [(1, "Rex", 9), (2, "Ada", 4), (3, "Bo", 1)] {
        let dog = ObjectReference(className: "Dog", key: .int(Int64(id)))
        try editor.create(dog)
        try editor.set(["name": .value(.string(name)), "age": .value(.int(Int64(age)))], of: dog)
      }
      try editor.set(["owner": .value(.link(ann))], of: ObjectReference(className: "Dog", key: .int(1)))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The output of a command that succeeds.
  func run(_ words: String...) throws -> String {
    let capture = Capture()
    let code = RealmTool.command.runSynchronously(words, environment: [:], console: capture.console())
    #expect(code == .success, "\(words): \(capture.errors)")
    return capture.output
  }

  /// The errors of a command that fails.
  func failure(_ words: String...) -> String {
    let capture = Capture()
    let code = RealmTool.command.runSynchronously(words, environment: [:], console: capture.console())
    #expect(code == .failure)
    return capture.errors
  }
}

/// Collects what a tool prints.
final class Capture: Sendable {
  private let texts = Mutex((output: "", errors: ""))
  var output: String { texts.withLock { $0.output } }
  var errors: String { texts.withLock { $0.errors } }

  func console(columns: Int? = nil) -> Console {
    Console(
      output: { text in self.texts.withLock { $0.output += text } },
      errors: { text in self.texts.withLock { $0.errors += text } }, columns: columns)
  }
}
