import CommandLineKit
import Foundation
import ObjectStore
import RecordStore
import SyncClient

extension RealmTool {
  static let clone = Command(
    "clone", summary: "Copy the objects of a realm into another one, here or on a server.",
    discussion: """
      Source and target are files or URLs of realms. The target must not exist, or have no objects; it appears, or is \
      filled, when the source has been read whole. The clone is a realm of its own: nothing keeps the two in step.

        realm clone realm://localhost:9080/catalog1 realm://localhost:9080/catalog2
        realm clone realms://example.org/~/todo todo.realm --ca ca.pem --user ann
      """,
    options: ServerOptions.all,
    arguments: [
      .one("source", kind: .nonEmptyText, help: "A realm file or URL."),
      .one("target", kind: .nonEmptyText, help: "A new realm file, or a URL."),
    ],
    asyncAction: { invocation, console in
      let folder = NSTemporaryDirectory() + "/realm-clone-" + UUID().uuidString
      try StateFolder.makeFolder(folder)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let source = try RealmPlace(invocation.argument("source") ?? "")
      let target = try RealmPlace(invocation.argument("target") ?? "")
      if case .file(let path) = target, FileManager.default.fileExists(atPath: path) {
        throw CommandFailure(
          "there is a file \(path) already", remedy: "remove it, or name another", code: "fileExists",
          details: [("file", .text(path))])
      }
      let objects = try await Interruption.watching {
        try await ProgressLine.following(console, unit: "kB") { line in
          let clone = RealmClone(invocation: invocation, console: console, line: line, folder: folder)
          return try await clone.run(from: source, to: target)
        }
      }
      let name = invocation.argument("target") ?? ""
      invocation.flag("json")
        ? console.print(json: .object([("objects", .integer(objects)), ("target", .text(name))]))
        : console.print("cloned \(objects) objects to \(name)")
    })
}

/// One clone, with a folder for what is needed meanwhile.
private struct RealmClone {
  let invocation: Invocation
  let console: Console
  let line: ProgressLine
  let folder: String

  /// - Returns: the number of objects.
  func run(from source: RealmPlace, to target: RealmPlace) async throws -> Int {
    let (configuration, file) = try await open(source)
    let contents = try RealmTool.failing("cannot read the source") { try file.contents() }
    let count = contents.schema.objectSchema.filter { $0.kind != .embedded }.reduce(0) {
      $0 + contents.count(of: $1.className)
    }
    switch target {
    case .file(let path):
      var local = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
      local.encryptionKey = configuration.encryptionKey
      try copy(configuration, to: local)
    case .server(let location):
      let user = try await login(location)
      try await checkThatNothingIsThere(location, user)
      let path = folder + "/target.realm"
      try copy(configuration, to: try ServerRealm.configuration(location, for: user, at: path))
      let realm = try ServerRealm(location, for: user, at: path)
      defer { realm.close() }
      try await realm.upload(line)
    }
    return count
  }

  /// The source, complete.
  private func open(_ source: RealmPlace) async throws -> (Realm.Configuration, RealmFile) {
    switch source {
    case .file(let path):
      let file = try RealmTool.open(path, invocation)
      var configuration = Realm.Configuration(fileURL: URL(fileURLWithPath: path))
      configuration.encryptionKey = file.options.encryptionKey.map { Data($0) }
      configuration.schemaVersion = try file.contents().schemaVersion
      configuration.objectTypes = []
      configuration.readOnly = true
      return (configuration, file)
    case .server(let location):
      let user = try await login(location)
      let path = folder + "/source.realm"
      let realm = try ServerRealm(location, for: user, at: path)
      try await realm.download(line)
      return (try ServerRealm.configuration(location, for: user, at: path), realm.file)
    }
  }

  private func login(_ location: ServerLocation) async throws -> SyncUser {
    _ = try ServerOptions.manager(invocation, for: location)
    return try await ServerLogin.user(invocation, at: location, console)
  }

  private func checkThatNothingIsThere(_ location: ServerLocation, _ user: SyncUser) async throws {
    let realm = try ServerRealm(location, for: user, at: folder + "/there.realm")
    defer { realm.close() }
    try await realm.download(line)
    let contents = try RealmTool.failing("cannot read the target") { try realm.file.contents() }
    let count = contents.schema.objectSchema.reduce(0) { $0 + contents.count(of: $1.className) }
    guard count == 0 else {
      throw CommandFailure(
        "\(location.text) has \(count) objects already", remedy: "name a realm that does not exist yet",
        code: "notEmpty")
    }
  }

  private func copy(_ source: Realm.Configuration, to target: Realm.Configuration) throws {
    try RealmTool.failing("cannot copy the realm") {
      let queue = DispatchQueue(label: "realm.clone")
      try queue.sync { try Realm(configuration: source, queue: queue).writeCopy(configuration: target) }
    }
  }
}
