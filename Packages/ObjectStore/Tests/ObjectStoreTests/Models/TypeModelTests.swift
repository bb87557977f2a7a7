import Foundation
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("every type against a model in memory")
struct TypeModelTests {
  private func compare(_ realm: Realm, _ edits: TypeEdits, _ note: String) -> Bool {
    let items = Dictionary(uniqueKeysWithValues: realm.objects(Item.self).map { ($0.id, $0.name) })
    guard items == edits.items else {
      Issue.record("\(note): items \(items), not \(edits.items)")
      return false
    }
    let holders = Dictionary(uniqueKeysWithValues: realm.objects(Holder.self).map { ($0.id, HolderModel($0)) })
    guard holders != edits.holders else { return true }
    for (id, model) in edits.holders where holders[id] != model {
      Issue.record("\(note): holder \(id) is\n\(holders[id].map { "\($0)" } ?? "missing")\nnot\n\(model)")
    }
    Issue.record("\(note): holders \(holders.keys.sorted()), not \(edits.holders.keys.sorted())")
    return false
  }

  private func configuration(_ folder: TemporaryFolder, records: Bool) -> Realm.Configuration {
    var configuration = folder.configuration(types: [Holder.self, Item.self, Spot.self])
    configuration.recordsChangesets = records
    return configuration
  }

  @Test("random edits, rollbacks and reopenings leave what the model has; frozen copies stay; recordings replay")
  func model() throws {
    for seed in Seeds.some(8) {
      let folder = try TemporaryFolder()
      var edits = TypeEdits(seed: seed)
      let records = seed.isMultiple(of: 2)
      let configuration = configuration(folder, records: records)
      var realm: Realm? = try Realm(configuration: configuration)
      var frozen: (realm: Realm, edits: TypeEdits)?
      for step in 0..<24 {
        guard let open = realm else { break }
        open.beginWrite()
        let saved = (edits.holders, edits.items)
        for _ in 0..<(1 + edits.below(12)) { edits.edit(open) }
        guard compare(open, edits, "SEED=\(seed) step \(step), within") else { return }
        if edits.random.oneIn(5) {
          open.cancelWrite()
          (edits.holders, edits.items) = saved
        } else {
          try open.commitWrite()
        }
        guard compare(open, edits, "SEED=\(seed) step \(step)") else { return }
        if let frozen, !compare(frozen.realm, frozen.edits, "SEED=\(seed) step \(step), frozen") { return }
        if edits.random.oneIn(6) { frozen = (open.freeze(), edits) }
        guard edits.random.oneIn(8) else { continue }
        (frozen, realm) = (nil, nil)
        realm = try Realm(configuration: configuration)
      }
      guard let open = realm else { return }
      if records { try replayed(open, "SEED=\(seed)") }
      #expect(try LinkBooks(open.file).complaint == nil, "SEED=\(seed)")
      try open.file.store.verify()
    }
  }
}
