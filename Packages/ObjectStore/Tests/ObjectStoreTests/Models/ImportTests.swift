import ObjectStore
import RecordStore
import Testing

/// A model written with one import.
private class Parcel: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var price: Decimal128
}

@Suite("one import")
struct ImportTests {
  @Test("models with identifiers and decimals need no other import")
  func models() throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "import", objectTypes: [Parcel.self]))
    let parcel = Parcel()
    let id = parcel.id
    try realm.write { realm.add(parcel) }
    #expect(realm.object(ofType: Parcel.self, forPrimaryKey: id) == parcel)
    let property: Property? = realm.schema["Parcel"]?["price"]
    #expect(property?.type == PropertyType.decimal128)
  }
}
