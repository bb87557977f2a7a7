import Foundation

/// The facts of one target on which the root manifest and the package's manifest must agree.
private struct TargetFacts: Equatable {
  var type: String
  var folder: String
  var dependencies: [String]
}

/// The root manifest and the packages' own manifests declare the same targets with the same arrows.
let manifestsAgree = Check(
  name: "manifests",
  run: { repository in
    let root = try targets(of: ".", in: repository)
    var nested: [String: TargetFacts] = [:]
    var found: [Finding] = []
    let manifests = repository.paths.filter { $0.hasSuffix("/Package.swift") && !$0.contains("/Fixtures/") }
    for path in manifests {
      let folder = (path as NSString).deletingLastPathComponent
      for (name, facts) in try targets(of: folder, in: repository) {
        if nested[name] != nil {
          found.append(Finding(path: path, line: nil, message: "target '\(name)' exists twice"))
        }
        nested[name] = facts
      }
    }
    for (name, facts) in nested.sorted(by: { $0.key < $1.key }) {
      guard let other = root[name] else {
        found.append(
          Finding(path: "Package.swift", line: nil, message: "target '\(name)' of \(facts.folder) is missing"))
        continue
      }
      if other != facts {
        found.append(
          Finding(
            path: "Package.swift", line: nil, message: "target '\(name)' is \(other) here, \(facts) in its package"))
      }
    }
    return found
  },
  canary: [
    "Package.swift": manifest(#".target(name: "X", path: "Packages/X/Sources/X")"#),
    "Packages/X/Package.swift": manifest(#".target(name: "X", dependencies: ["Y"]), .target(name: "Y")"#),
    "Packages/X/Sources/X/X.swift": "\n", "Packages/X/Sources/Y/Y.swift": "\n",
  ])

/// Packages of several layers: the table of layers names their targets in place of the package.
let layeredPackages: [String: Set<String>] = ["ObjectStore": ["RecordStore", "ObjectStore"]]

/// Packages above another one that its tests use, and nothing else of it.
let aboveForTests: [String: Set<String>] = ["ObjectServer": ["ServerCluster"]]

/// Arrows point down: what each package and each app may depend on, directly. The picture of `Docs/Architecture.md`.
let layers: [String: Set<String>] = [
  "TestKit": [], "ByteCoding": [], "DataModel": [],
  "Cryptography": ["ByteCoding"], "Telemetry": [], "Concurrency": ["Telemetry"], "CommandLineKit": [],
  "TerminalUI": ["CommandLineKit"],
  "QueryLanguage": ["DataModel"],
  "SubscriptionMatching": ["QueryLanguage", "DataModel"],
  "GraphQL": ["ByteCoding"],
  "ChangesetOT": ["DataModel", "ByteCoding"],
  "Permissions": ["DataModel", "QueryLanguage"],
  "SyncProtocol": ["ChangesetOT", "ByteCoding", "DataModel"],
  "StorageEngine": ["ByteCoding", "DataModel", "Cryptography"],
  "CommitFeed": ["RecordStore", "SubscriptionMatching", "QueryLanguage", "ChangesetOT", "DataModel"],
  "ObjectStore": [
    "DataModel", "ByteCoding", "Permissions", "QueryLanguage", "ChangesetOT", "StorageEngine", "SubscriptionMatching",
  ],
  "Transport": ["Concurrency", "Cryptography", "Telemetry"],
  "AuthClient": ["Transport", "ByteCoding", "Cryptography", "Telemetry", "Permissions"],
  "SyncClient": [
    "ObjectStore", "RecordStore", "SyncProtocol", "ChangesetOT", "AuthClient", "Concurrency", "Transport", "Telemetry",
    "DataModel",
    "ByteCoding", "Permissions", "Cryptography", "StorageEngine",
  ],
  "ObjectServer": [
    "RecordStore", "SyncProtocol", "ChangesetOT", "Permissions", "QueryLanguage", "Concurrency", "Transport",
    "AuthClient", "Telemetry", "Cryptography", "DataModel", "ByteCoding", "StorageEngine", "GraphQL", "RealmGraphQL",
    "DataExchange", "AdapterKit", "CommitFeed",
  ],
  "Studio": ["Transport"],
  "PostgresClient": [],
  "ServerCluster": [
    "ObjectServer", "RecordStore", "StorageEngine", "Permissions", "PostgresClient", "Concurrency", "Cryptography",
    "ByteCoding", "Telemetry", "ChangesetOT", "SyncProtocol", "Transport", "DataModel",
  ],
  "RealmGraphQL": [
    "GraphQL", "RecordStore", "CommitFeed", "DataExchange", "SubscriptionMatching", "QueryLanguage", "Permissions",
    "ChangesetOT", "DataModel", "ByteCoding",
  ],
  "AdapterKit": ["ByteCoding", "ChangesetOT", "CommitFeed", "DataExchange", "DataModel", "RecordStore"],
  "EventHandling": [
    "AdapterKit", "SyncClient", "ByteCoding", "ChangesetOT", "CommitFeed", "Concurrency", "Cryptography", "DataModel",
    "ObjectServer",
    "ObjectStore",
    "RecordStore", "Permissions", "SubscriptionMatching", "Telemetry", "Transport",
  ],
  "DataExchange": ["DataModel", "RecordStore", "StorageEngine"],
  "RealmSwift": ["ObjectStore", "SyncClient", "AuthClient", "Permissions", "DataModel"],
  // Its tests start the server; `realm studio` serves the pages over a file.
  "realm": [
    "ObjectServer", "Studio", "Concurrency",
    "ObjectStore", "RecordStore", "DataExchange", "ChangesetOT", "DataModel", "QueryLanguage", "SyncClient",
    "Transport",
    "CommandLineKit", "TerminalUI", "Cryptography", "ByteCoding", "GraphQL", "RealmGraphQL", "realm-object-server",
  ],
  // Its tests start the server.
  "coupon-handler": [
    "EventHandling", "SyncClient", "ObjectStore", "RecordStore", "DataModel", "CommandLineKit", "ByteCoding",
    "Transport",
    "realm-object-server",
  ],
  "package-catalogue": ["SyncClient", "ObjectStore", "QueryLanguage", "CommandLineKit"],
  // The tests of chat run a server.
  "chat": ["RealmSwift", "ObjectServer", "Transport", "CommandLineKit", "TerminalUI"],
  // The tests of realm-postgres have a device.
  "realm-postgres": [
    "AdapterKit", "ByteCoding", "ChangesetOT", "CommandLineKit", "CommitFeed", "Cryptography", "DataModel",
    "ObjectServer",
    "ObjectStore", "RecordStore", "Permissions", "PostgresClient", "SyncClient", "Telemetry", "Transport",
  ],
  "todo": ["RealmSwift", "ObjectStore", "RecordStore", "Transport", "CommandLineKit", "TerminalUI"],
  "realm-object-server": [
    "ObjectServer", "AuthClient", "Permissions", "Transport", "SyncProtocol", "ChangesetOT", "Cryptography",
    "Telemetry", "CommandLineKit", "ByteCoding", "GraphQL", "Studio", "EventHandling", "DataModel",
    "ServerCluster", "PostgresClient",
  ],
]

let layersPointDown = Check(
  name: "layers",
  run: { repository in
    var found: [Finding] = []
    let folders = repository.packages.map { "Packages/\($0)" } + repository.apps.map { "Apps/\($0)" }
    for folder in folders {
      let package = (folder as NSString).lastPathComponent
      let path = "\(folder)/Package.swift"
      guard let allowed = layers[package] else {
        found.append(Finding(path: path, line: nil, message: "'\(package)' has no place in the table of layers"))
        continue
      }
      let dump = try dumpPackage(folder, in: repository)
      let used = (dump["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency -> String? in
        let local = (dependency["fileSystem"] as? [[String: Any]])?.first
        return (local?["path"] as? String).map { ($0 as NSString).lastPathComponent }
      }
      for name in used where name != "TestKit" && allowed.isDisjoint(with: layeredPackages[name] ?? [name]) {
        if aboveForTests[package]?.contains(name) == true {
          let above = Set(try targets(of: "Packages/\(name)", in: repository).keys)
          let users = try targets(of: folder, in: repository).filter { !above.isDisjoint(with: $0.value.dependencies) }
          if users.allSatisfy({ $0.value.type == "test" }) { continue }
        }
        found.append(
          Finding(path: path, line: nil, message: "'\(package)' may not depend on '\(name)': the arrow points up"))
      }
    }
    return found
  },
  canary: [
    "Packages/ByteCoding/Package.swift": manifest(
      #".target(name: "B")"#, dependencies: #".package(path: "../ObjectStore")"#),
    "Packages/ByteCoding/Sources/B/B.swift": "\n",
  ])

/// A target names only those targets of a layered package that its own package may use. Tests may name all.
let targetLayersPointDown = Check(
  name: "target layers",
  run: { repository in
    let layered = Set(layeredPackages.values.joined())
    var found: [Finding] = []
    let folders = repository.packages.map { "Packages/\($0)" } + repository.apps.map { "Apps/\($0)" }
    for folder in folders {
      let package = (folder as NSString).lastPathComponent
      guard layeredPackages[package] == nil, let allowed = layers[package] else { continue }
      for (name, facts) in try targets(of: folder, in: repository).sorted(by: { $0.key < $1.key })
      where facts.type != "test" {
        for dependency in facts.dependencies where layered.contains(dependency) && !allowed.contains(dependency) {
          found.append(
            Finding(
              path: "\(folder)/Package.swift", line: nil,
              message: "target '\(name)' may not depend on target '\(dependency)': the arrow points up"))
        }
      }
    }
    return found
  },
  canary: [
    "Packages/ObjectServer/Package.swift": manifest(
      #".target(name: "ObjectServer", dependencies: [.product(name: "ObjectStore", package: "ObjectStore")])"#,
      dependencies: #".package(path: "../ObjectStore")"#),
    "Packages/ObjectServer/Sources/ObjectServer/S.swift": "\n",
  ])

private func manifest(_ targets: String, dependencies: String = "") -> String {
  """
  // swift-tools-version: 6.1
  import PackageDescription
  let package = Package(name: "Canary", dependencies: [\(dependencies)], targets: [\(targets)])

  """
}

private func dumpPackage(_ folder: String, in repository: Repository) throws -> [String: Any] {
  let url = repository.root.appendingPathComponent(folder)
  let text = try run(["swift", "package", "dump-package", "--package-path", url.path], in: repository.root)
  return try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
}

private func targets(of folder: String, in repository: Repository) throws -> [String: TargetFacts] {
  var result: [String: TargetFacts] = [:]
  for target in try dumpPackage(folder, in: repository)["targets"] as? [[String: Any]] ?? [] {
    guard let name = target["name"] as? String, let type = target["type"] as? String else { continue }
    let standard = type == "test" ? "Tests/\(name)" : "Sources/\(name)"
    let path = target["path"] as? String ?? standard
    let full = folder == "." ? path : "\(folder)/\(path)"
    let dependencies = (target["dependencies"] as? [[String: Any]] ?? []).compactMap { dependency -> String? in
      let entry = dependency["byName"] ?? dependency["product"] ?? dependency["target"]
      return (entry as? [Any])?.first as? String
    }
    result[name] = TargetFacts(type: type, folder: full, dependencies: dependencies.sorted())
  }
  return result
}
