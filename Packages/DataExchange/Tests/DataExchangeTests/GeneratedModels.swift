import Foundation
import ObjectStore

class ModelAddress: EmbeddedObject {
  @Persisted var street: String
  @Persisted var photo: Data
}

class ModelPerson: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted(indexed: true) var full_name: String
  @Persisted var `class`: String?
  @Persisted var born: Date
  @Persisted var weight: Float?
  @Persisted var price: Decimal128
  @Persisted var token: UUID
  @Persisted var isOld: Bool
  @Persisted var friends: List<ModelPerson>
  @Persisted var address: ModelAddress?
  @Persisted var past: List<ModelAddress>
  @Persisted var scores: Map<String, Double?>
  @Persisted var byName: Map<String, ModelPerson?>
  @Persisted var tags: MutableSet<String>
  @Persisted var notes: List<String?>
  @Persisted var extra: AnyRealmValue

  override class func propertiesMapping() -> [String: String] { ["full_name": "full name"] }
}
