import Foundation
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

extension Person {
  fileprivate var initial: String { String(name.prefix(1)) }
}

@Suite("sections")
struct SectionTests {
  private func shape(_ sections: SectionedResults<Int, Person>) -> [[String]] {
    sections.map { section in ["\(section.key)"] + section.map { "\($0.id) \($0.name)" } }
  }

  @Test("elements stand in sections by a key, live, frozen, on other threads")
  func sections() throws {
    let configuration = memoryConfiguration()
    let realm = try Realm(configuration: configuration)
    try realm.write {
      for (id, name) in ["Ada", "Anna", "Bob", "Cyd", "Carl"].enumerated() {
        realm.create(Person.self, value: ["id": id, "name": name, "age": id / 2, "tags": ["b", "a2", "a1"]])
      }
    }
    let people = realm.objects(Person.self)
    let letters = people.sectioned(by: \.initial)
    #expect(letters.allKeys == ["A", "B", "C"])
    #expect(letters.count == 3)
    #expect(letters[2].map(\.name) == ["Carl", "Cyd"])
    #expect(letters[IndexPath(item: 1, section: 0)].name == "Anna")
    let ages = people.sectioned(
      by: \.age, sortDescriptors: [SortDescriptor(keyPath: \Person.age, ascending: false), "name"])
    #expect(shape(ages) == [["2", "4 Carl"], ["1", "2 Bob", "3 Cyd"], ["0", "0 Ada", "1 Anna"]])
    let words = people[0].tags.sectioned(by: { $0.first.map(String.init) ?? "" })
    #expect(words.map { Array($0) } == [["a1", "a2"], ["b"]])
    let frozen = letters.freeze()
    let section = letters[1]
    try realm.write { realm.delete(people.where { $0.name == "Bob" }) }
    #expect(letters.allKeys == ["A", "C"])
    #expect(section.count == 0)
    #expect(section.key == "B")
    #expect(frozen.allKeys == ["A", "B", "C"] && frozen[1].first?.name == "Bob" && frozen.isFrozen)
    try realm.write { _ = realm.create(Person.self, value: ["id": 9, "name": "Bea"]) }
    #expect(section.count == 1)
    #expect(section.first?.name == "Bea")
    #expect(frozen.thaw()?.count == 3)
    let reference = ThreadSafeReference(to: letters)
    onThread {
      do {
        let found = try Realm(configuration: configuration).resolve(reference)
        #expect(found?.allKeys == ["A", "B", "C"])
      } catch { Issue.record(error) }
    }
  }

  @Test("change sets applied to the sections that were give the sections that are")
  func changes() throws {
    for seed in Seeds.some(20) {
      var edits = LiveEdits(seed: seed)
      let realm = try Realm(configuration: memoryConfiguration())
      try realm.write { for _ in 0..<12 { edits.edit(realm) } }
      let sections = realm.objects(Person.self).sectioned(
        by: \.age, sortDescriptors: [SortDescriptor(keyPath: \Person.age), "id"])
      var shown: [[String]] = []
      var ofSection: [Int: Int] = [:]
      var checks = 0
      var tokens: [NotificationToken] = []
      tokens.append(
        sections.observe { change in
          switch change {
          case .initial(let now): shown = shape(now)
          case .update(let now, let deletions, let insertions, let modifications, let inserted, let deleted):
            let new = shape(now)
            var rows: [[String?]] = shown
            for path in modifications { rows[path.section][path.item + 1] = nil }
            for path in deletions.sorted().reversed() { rows[path.section].remove(at: path.item + 1) }
            for section in deleted.reversed() { rows.remove(at: section) }
            for section in inserted { rows.insert([new[section][0]], at: section) }
            for path in insertions.sorted() {
              rows[path.section].insert(new[path.section][path.item + 1], at: path.item + 1)
            }
            let result = rows.enumerated().map { section, row in row.enumerated().map { $1 ?? new[section][$0] } }
            #expect(result == new, "SEED=\(seed): \(shown) → \(new)")
            shown = new
            checks += 1
          }
        })
      for index in 0..<sections.count {
        let section = sections[index]
        tokens.append(section.observe { _ in ofSection[section.key, default: 0] += 1 })
      }
      realm.refresh()
      for _ in 0..<20 {
        try realm.write { for _ in 0..<3 { edits.edit(realm) } }
        if edits.random.oneIn(2) { realm.refresh() }
      }
      realm.refresh()
      #expect(checks > 0, "SEED=\(seed)")
      #expect(ofSection.values.allSatisfy { $0 > 0 }, "SEED=\(seed)")
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("sorting by something else than the sections ends the program")
  func misuse() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: memoryConfiguration())
      _ = realm.objects(Person.self).sectioned(by: \.age, sortDescriptors: ["name"])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("must match the primary sort descriptor"))
  }
}
