import RealmSwift
import Testing

final class Umbrella: Object {
  @Persisted(primaryKey: true) var color: String
  @Persisted var size: Int
}

@Suite struct UmbrellaTests {
  @Test("one import gives objects, users and permissions")
  func names() throws {
    let realm = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: "umbrella", objectTypes: [Umbrella.self]))
    try realm.write { realm.create(Umbrella.self, value: ["color": "red", "size": 3]) }
    #expect(realm.objects(Umbrella.self).filter("size > %@", 2).first?.color == "red")
    let credentials = SyncCredentials.usernamePassword(username: "ann", password: "secret")
    #expect("\(credentials)".contains("secret") == false)
    #expect(SyncAccessLevel.read < SyncAccessLevel.write)
  }
}
