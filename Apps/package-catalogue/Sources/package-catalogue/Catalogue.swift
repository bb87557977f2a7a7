import CommandLineKit
import Foundation
import ObjectStore
import QueryLanguage
import SyncClient

/// A catalogue that is kept in step with a server: the realm `/~/catalogue` of a user.
///
/// Every step opens the realm for the thread that it runs on; the session belongs to the file and goes on.
struct Catalogue {
  let configuration: Realm.Configuration

  init(_ invocation: Invocation) async throws {
    guard let address = invocation.text("server").flatMap(URL.init(string:)), let host = address.host else {
      throw CommandFailure("no server is named", remedy: "give '--server http://HOST:PORT'")
    }
    let folder = URL(fileURLWithPath: invocation.text("data") ?? ".", isDirectory: true)
    let manager = SyncManager(rootDirectory: folder)
    manager.logLevel = .off
    if let path = invocation.text("ca") { try manager.pinCertificate(path, of: host) }
    let credentials = SyncCredentials.usernamePassword(
      username: invocation.text("user") ?? "", password: invocation.text("password") ?? "",
      register: invocation.flag("register"))
    let user = try await SyncUser.logIn(with: credentials, server: address, manager: manager)
    let port = address.port.map { ":\($0)" } ?? ""
    var configuration = user.configuration(
      realmURL: URL(string: "realm://\(host)\(port)/~/catalogue"), fullSynchronization: true)
    configuration.objectTypes = [SoftwarePackage.self]
    self.configuration = configuration
  }

  private func session() throws -> SyncSession {
    guard let session = try Realm(configuration: configuration).syncSession else {
      throw CommandFailure("the realm is not synchronised")
    }
    return session
  }

  func upload() async throws { try await session().waitForUpload() }
  func download() async throws { try await session().waitForDownload() }

  /// Stays away from the server for the rest of the run.
  func suspend() throws { try session().suspend() }
  func resume() throws { try session().resume() }

  /// Puts the packages of an index into the realm, some thousand per transaction.
  /// - Returns: how many there were.
  func load(_ lines: () -> String?) throws -> Int {
    let realm = try Realm(configuration: configuration)
    var count = 0
    var batch: [AptPackage] = []
    func write() throws {
      try realm.write {
        for package in batch { add(package, to: realm) }
      }
      batch = []
    }
    try forEachPackage(in: lines) { package in
      batch.append(package)
      count += 1
      if batch.count == 2000 { try write() }
    }
    try write()
    return count
  }

  private func add(_ package: AptPackage, to realm: Realm) {
    func named(_ name: String) -> SoftwarePackage {
      realm.object(ofType: SoftwarePackage.self, forPrimaryKey: name)
        ?? realm.create(SoftwarePackage.self, value: ["name": name])
    }
    let stored = named(package.name)
    stored.version = package.version
    stored.section = package.section
    stored.summary = package.summary
    stored.installedSize = package.installedSize
    stored.dependencies.removeAll()
    stored.dependencies.append(objectsIn: package.dependencies.map(named))
  }

  /// Gives every package of a section a new version.
  func upgrade(_ section: String, to suffix: String) throws -> Int {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    let packages = realm.objects(SoftwarePackage.self).filter("section == %@", section)
    try realm.write { for package in packages { package.version += suffix } }
    return packages.count
  }

  /// The packages that match a query, with how many depend on each.
  /// - Throws: `QueryError`, with its position, for text that is no query over packages.
  func find(_ query: String) throws -> [(name: String, version: String, dependents: Int)] {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    // A filter stops the program when it is wrong: what a person typed is checked first, against the class as it is declared.
    _ = try QueryPlan(
      ParsedQuery(parsing: query), className: SoftwarePackage.className(), schema: SoftwarePackage.querySchema)
    return realm.objects(SoftwarePackage.self).filter(query).sorted(byKeyPath: "name").map {
      ($0.name, $0.version, $0.dependents.count)
    }
  }

  /// One number for everything that the realm holds, and how much that is.
  func digest() throws -> (objects: Int, links: Int, digest: String) {
    let realm = try Realm(configuration: configuration)
    realm.refresh()
    let contents = try realm.file.contents()
    var (objects, links, hash) = (0, 0, UInt64(0))
    try contents.forEachObject(of: "SoftwarePackage") { record in
      objects += 1
      if case .list(let items)? = record["dependencies"] { links += items.count }
      // The order of rows differs from device to device: a sum of one hash per object does not.
      let text = "\(record.key)" + record.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined()
      var one: UInt64 = 0xCBF2_9CE4_8422_2325
      for byte in text.utf8 { one = (one ^ UInt64(byte)) &* 0x100_0000_01B3 }
      hash &+= one
      return true
    }
    return (objects, links, String(hash, radix: 16))
  }
}
