import RealmSwift
import TestKit
import Testing
@testable import TodoRealm

@Suite("A copy of a collection")
struct CollectionChangesTests {
  @Test("follows insertions, deletions and modifications, and reads no other element")
  func following() throws {
    var random = SeededGenerator(seed: Seeds.seed ?? 1)
    let realm = try Realm(
      configuration: .init(inMemoryIdentifier: "copies", objectTypes: [TodoList.self, TodoItem.self]))
    let lists = realm.objects(TodoList.self).sorted(byKeyPath: "order")
    var copy: [String] = []
    var reads = 0
    let token = lists.observe { change in
      try? copy.apply(change) { list in
        reads += 1
        return list.name
      }
    }
    realm.refresh()
    for step in 0..<(Seeds.runs ?? 100) {
      reads = 0
      var touched: Set<String> = []
      try realm.write {
        for _ in 0...Int.random(in: 0...3, using: &random) {
          let key = "\(Int.random(in: 0..<12, using: &random))"
          touched.insert(key)
          if let list = realm.object(ofType: TodoList.self, forPrimaryKey: key) {
            if Bool.random(using: &random) {
              realm.delete(list)
            } else {
              list.order = Double.random(in: 0..<9, using: &random)
            }
          } else {
            let list = TodoList()
            (list._id, list.name, list.order) = (key, "\(key) of \(step)", Double.random(in: 0..<9, using: &random))
            realm.add(list)
          }
        }
      }
      realm.refresh()
      #expect(copy == lists.map(\.name), "SEED=\(Seeds.seed ?? 1) step \(step)")
      // An element that moves may count as a neighbour that makes room for it.
      #expect(reads <= 2 * touched.count, "SEED=\(Seeds.seed ?? 1) step \(step)")
    }
    token.invalidate()
  }
}
