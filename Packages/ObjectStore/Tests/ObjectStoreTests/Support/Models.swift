import DataModel
import Foundation
import Synchronization

@testable import ObjectStore
@testable import RecordStore

class Person: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted(indexed: true) var age: Int
  @Persisted var score = 1.5
  @Persisted var nickname: String?
  @Persisted var born: Date?
  @Persisted var dogs: List<Dog>
  @Persisted var tags: List<String>
  @Persisted var friend: Person?
  @Persisted var home: Address?
  @Persisted var homes: List<Address>
}

class Dog: Object {
  @Persisted var name: String
  @Persisted var weight: Double
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Address: EmbeddedObject {
  @Persisted var street: String
  @Persisted var number: Int
}

class Everything: Object {
  @Persisted(primaryKey: true) var id: ObjectId
  @Persisted var small: Int8
  @Persisted var short: Int16?
  @Persisted var long: Int64
  @Persisted var flag: Bool
  @Persisted var float: Float
  @Persisted var double: Double?
  @Persisted var text: String
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var maybe: Bool?
  @Persisted var ints: List<Int>
  @Persisted var optionals: List<String?>
  @Persisted var dates: List<Date>
}

private let names = Atomic<Int>(0)

/// A configuration of a realm in memory under a name of its own.
func memoryConfiguration(recordsChangesets: Bool = false) -> Realm.Configuration {
  let number = names.wrappingAdd(1, ordering: .relaxed).newValue
  return Realm.Configuration(
    inMemoryIdentifier: "live \(number)",
    objectTypes: [Person.self, Dog.self, Address.self, Everything.self], recordsChangesets: recordsChangesets)
}
