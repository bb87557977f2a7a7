import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite struct EncryptedRealmTests {
  private static let key = Data((0..<64).map { UInt8($0) })
  private static let other = Data((0..<64).map { UInt8(64 - $0) })

  private func fill(_ configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Person(value: ["name": "a secret name", "age": 36])) }
  }

  private func names(_ configuration: Realm.Configuration) throws -> [String] {
    try Realm(configuration: configuration).objects(Person.self).map { $0.name }
  }

  @Test("an encrypted realm opens with its key, and its files hold no word of it")
  func opens() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration()
    configuration.encryptionKey = Self.key
    try fill(configuration)
    #expect(try names(configuration) == ["a secret name"])
    for file in try FileManager.default.contentsOfDirectory(at: folder.url, includingPropertiesForKeys: nil) {
      let content = try Data(contentsOf: file)
      for word in ["a secret name", "Person", "age"] {
        #expect(content.range(of: Data(word.utf8)) == nil, "\(word) in \(file.lastPathComponent)")
      }
    }
  }

  @Test("a wrong, a missing and a superfluous key are invalidDatabase, and say what to do")
  func wrongKeys() throws {
    let folder = try TemporaryFolder()
    var sealed = folder.configuration("sealed.realm")
    sealed.encryptionKey = Self.key
    try fill(sealed)
    var clear = folder.configuration("clear.realm")
    try fill(clear)
    func refusal(_ configuration: Realm.Configuration) -> String {
      do { _ = try Realm(configuration: configuration) } catch Realm.Error.invalidDatabase {
        return (try? Result { try Realm(configuration: configuration) }.get()).map { _ in "" } ?? message(configuration)
      } catch { return "\(error)" }
      return "it opened"
    }
    func message(_ configuration: Realm.Configuration) -> String {
      do { _ = try Realm(configuration: configuration) } catch { return error.localizedDescription }
      return "it opened"
    }
    sealed.encryptionKey = Self.other
    #expect(refusal(sealed).contains("not readable with that key"))
    sealed.encryptionKey = nil
    #expect(refusal(sealed).contains("is encrypted"))
    clear.encryptionKey = Self.key
    #expect(refusal(clear).contains("is not encrypted"))
  }

  @Test("a copy has the key that it is given, or none")
  func rekeying() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration()
    configuration.encryptionKey = Self.key
    try fill(configuration)
    let realm = try Realm(configuration: configuration)
    var copy = folder.configuration("other.realm")
    copy.encryptionKey = Self.other
    try realm.writeCopy(configuration: copy)
    #expect(try names(copy) == ["a secret name"])
    let clear = folder.configuration("clear.realm")
    try realm.writeCopy(toFile: folder.url.appendingPathComponent("clear.realm"))
    #expect(try names(clear) == ["a secret name"])
    #expect(throws: Realm.Error(.fileExists)) { try realm.writeCopy(configuration: copy) }
    #expect(try schemaVersionAtURL(folder.url.appendingPathComponent("other.realm"), encryptionKey: Self.other) == 0)
  }

  @Test("a backup that a reset leaves beside the file has the file's key")
  func backup() throws {
    let folder = try TemporaryFolder()
    var configuration = folder.configuration()
    configuration.encryptionKey = Self.key
    try fill(configuration)
    let path = folder.url.appendingPathComponent("backup.realm").path
    try Realm(configuration: configuration).file.writeBackup(toPath: path)
    var backup = folder.configuration("backup.realm")
    backup.encryptionKey = Self.key
    #expect(try names(backup) == ["a secret name"])
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(bytes.range(of: Data("a secret name".utf8)) == nil)
  }

  @Test("a key of another length stops the program with RealmSwift's text")
  func length() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration(inMemoryIdentifier: "short key")
      configuration.encryptionKey = Data([1, 2, 3])
      _ = try Realm(configuration: configuration)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Encryption key must be exactly 64 bytes long"))
  }
}
