import Foundation
@testable import ObjectStore
import RecordStore
import Testing

private final class Ship: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var title: String
  @Persisted var tons: Int
  @Persisted var crew: List<Sailor>
  @Persisted var flags: Map<String, String>

  override class func propertiesMapping() -> [String: String] {
    ["title": "ship title", "tons": "title", "crew": "hands", "flags": "signals"]
  }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

private final class Sailor: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var age: Int
  @Persisted(originProperty: "crew") var ships: LinkingObjects<Ship>

  override class func propertiesMapping() -> [String: String] { ["age": "years"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Subscriptions whose classes store properties under other names.
struct SubscriptionNamesTests {
  private static func file() throws -> (Realm, RealmFile) {
    let realm = try Realm(
      configuration: Realm.Configuration(
        inMemoryIdentifier: UUID().uuidString, objectTypes: [Ship.self, Sailor.self]))
    return (realm, realm.file)
  }

  private static func text(_ query: SubscriptionQuery) throws -> String {
    let (realm, file) = try file()
    return try withExtendedLifetime(realm) { try query.checked(in: file).query }
  }

  @Test("a closure over mapped names is sent with the stored names, at every step of a path")
  func closures() throws {
    let cases: [(SubscriptionQuery, String)] = [
      (SubscriptionQuery(Ship.self) { $0.tons > 7 }, "title > 7"),
      (SubscriptionQuery(Ship.self) { $0.title == "Fram" }, "ship\\ title == \"Fram\""),
      (SubscriptionQuery(Ship.self) { $0.crew.age > 18 }, "ANY hands.years > 18"),
      (SubscriptionQuery(Ship.self) { $0.crew.count > 2 }, "hands.@count > 2"),
      (SubscriptionQuery(Ship.self) { $0.crew.age.max > 60 }, "hands.@max.years > 60"),
      (SubscriptionQuery(Ship.self) { ($0.crew.age > 18 && $0.crew._id < 9).count > 1 }, ""),
      (SubscriptionQuery(Sailor.self) { $0.ships.tons > 7 }, "ANY @links.Ship.hands.title > 7"),
    ]
    for (query, expected) in cases {
      let text = try Self.text(query)
      if expected.isEmpty {
        #expect(text.hasPrefix("SUBQUERY(hands, "))
        #expect(text.contains(".years > 18"))
      } else {
        #expect(text == expected)
      }
    }
  }

  @Test("text may use either name, and sort keys are stored names too")
  func texts() throws {
    #expect(try Self.text(SubscriptionQuery(Sailor.self, where: "age > 3", [])) == "years > 3")
    #expect(try Self.text(SubscriptionQuery(Sailor.self, where: "years > 3", [])) == "years > 3")
    #expect(
      try Self.text(SubscriptionQuery(Ship.self, where: "TRUEPREDICATE SORT(tons ASC)", []))
        == "TRUEPREDICATE SORT(title ASC)")
  }

  @Test("results are sent with the stored names, filtered before or after they are sorted, but not after distinct")
  func results() throws {
    let (realm, file) = try Self.file()
    let sailors = realm.objects(Sailor.self)
    let sent = "years > 3 and _id < 9 SORT(years DESC)"
    let sorted = sailors.where { $0.age > 3 }.sorted(byKeyPath: "age", ascending: false)
    #expect(try SubscriptionQuery(sorted.where { $0._id < 9 }).checked(in: file).query == sent)
    #expect(try SubscriptionQuery(sorted.filter("_id < 9")).checked(in: file).query == sent)
    #expect(
      try SubscriptionQuery(sorted, limit: 2, includingLinkingObjects: ["ships"]).checked(in: file).query
        == "years > 3 SORT(years DESC) LIMIT(2) INCLUDE(@links.Ship.hands)")
    let refusal = #expect(throws: RecordStoreError.self) {
      try SubscriptionQuery(sorted.distinct(by: ["age"]).where { $0._id < 9 })
    }
    #expect(refusal?.code == .subscriptionFailed)
  }
}
