import ChangesetOT
import DataModel

/// The class of the tests of flexible sync: people with an age and a name.
enum FlexiblePeople {
  static let schema: [Instruction] = [
    .addTable(AddTable(table: "Person", primaryKey: PrimaryKeyColumn(field: "_id", type: .int))),
    .addColumn(AddColumn(table: "Person", field: "age", type: .int)),
    .addColumn(AddColumn(table: "Person", field: "name", type: .string)),
  ]

  static func reference(_ key: Int64) -> ObjectReference { ObjectReference(className: "Person", key: .int(key)) }

  static func person(_ key: Int64, age: Int64) -> [Instruction] {
    [
      .createObject(CreateObject(object: reference(key))), setAge(key, age),
      .update(Update(target: Target(object: reference(key), field: "name"), payload: .string("person \(key)"))),
    ]
  }

  static func erase(_ key: Int64) -> Instruction { .eraseObject(EraseObject(object: reference(key))) }

  static func setAge(_ key: Int64, _ age: Int64) -> Instruction {
    .update(Update(target: Target(object: reference(key), field: "age"), payload: .int(age)))
  }
}
