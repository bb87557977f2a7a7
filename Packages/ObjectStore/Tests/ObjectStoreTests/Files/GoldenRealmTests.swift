import Foundation
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Realms of earlier releases, which every later one opens: `Tests/Vectors/golden/realm-<format>`.
///
/// `GOLDEN=<folder>` makes new ones there.
@Suite struct GoldenRealmTests {
  private static let names = ["plain", "encrypted"]

  @Test("realms of every release are opened, read, written and verified")
  func realms() throws {
    let root = RepositoryFiles.root().appendingPathComponent("Tests/Vectors/golden")
    let folders = try FileManager.default.contentsOfDirectory(atPath: root.path).filter { $0.hasPrefix("realm-") }
    #expect(!folders.isEmpty)
    for folder in folders.sorted() {
      let expected = try String(contentsOf: root.appendingPathComponent("\(folder)/contents.txt"), encoding: .utf8)
      for name in Self.names {
        let comment: Comment = "\(folder)/\(name)"
        let place = try TemporaryFolder()
        let configuration = SampleRealm.configuration(place, "\(name).realm", isEncrypted: name == "encrypted")
        try FileManager.default.copyItem(
          at: root.appendingPathComponent("\(folder)/\(name).realm"), to: #require(configuration.fileURL))
        let realm = try Realm(configuration: configuration)
        #expect(try Self.contents(realm) == expected, comment)
        let before = try realm.file.verify()
        #expect(before.historyEntries > 2, comment)
        try realm.write { _ = realm.create(Person.self, value: ["id": 1000, "dogs": [["name": "Rex"]]]) }
        #expect(try realm.file.verify().objects == before.objects + 2, comment)
      }
    }
  }

  /// Every object by class and key, and what the live objects show.
  private static func contents(_ realm: Realm) throws -> String {
    // The holders are in the dump, where sets and dictionaries are sorted.
    let dump = try realm.file.dump()
    var people = dump
    people.objects["Holder"] = nil
    return (people.description.split(separator: "\n").map(String.init) + SampleRealm.read(realm)).joined(
      separator: "\n")
      + "\n" + (try holders(dump)) + "\n"
  }

  /// Values of any order inside mixed values are compared by their content, so keys are sorted here.
  private static func holders(_ dump: StateDump) throws -> String {
    (dump.objects["Holder"] ?? [:]).map { key, fields in
      let plain = fields.filter { !$0.key.lowercased().contains("any") }
      return "\(key) " + plain.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }.sorted().joined(separator: "\n")
  }

  @Test("golden realms are made on demand", .enabled(if: ProcessInfo.processInfo.environment["GOLDEN"] != nil))
  func make() throws {
    let folder = URL(fileURLWithPath: ProcessInfo.processInfo.environment["GOLDEN"] ?? "")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let place = try TemporaryFolder()
    let realm = try Realm(configuration: SampleRealm.configuration(place, "new.realm", isEncrypted: false))
    try SampleRealm.fill(realm, people: 120)
    try realm.writeCopy(toFile: folder.appendingPathComponent("plain.realm"))
    try realm.writeCopy(toFile: folder.appendingPathComponent("encrypted.realm"), encryptionKey: SampleRealm.key)
    try Data(Self.contents(realm).utf8).write(to: folder.appendingPathComponent("contents.txt"))
  }
}
