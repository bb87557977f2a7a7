import DataModel
import Foundation
import TestKit

@testable import ObjectStore
@testable import RecordStore

/// Random edits of every type of property, done to live objects and to their models in memory alike.
struct TypeEdits {
  var random: SeededGenerator
  var holders: [Int: HolderModel] = [:]
  var items: [Int: String] = [:]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  // MARK: Random values

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  private mutating func word() -> String { ["", "a", "b", "ž", "long words do not fit inline anywhere"][below(5)] }
  private mutating func key() -> String { ["a", "b", "c", "d"][below(4)] }
  private mutating func maybe<T>(_ value: T) -> T? { random.oneIn(3) ? nil : value }
  private mutating func spot() -> SpotModel {
    let note = word()
    return SpotModel(x: Double(below(9)), y: Double(below(9)), note: maybe(note))
  }
  private mutating func point() -> Point { Point(x: Double(below(9)), y: Double(below(9))) }
  private mutating func species() -> Species { Species.allCases[below(3)] }
  private mutating func item() -> Int? { items.isEmpty ? nil : items.keys.sorted()[below(items.count)] }

  private mutating func any(depth: Int = 0) -> AnyModel {
    switch below(depth < 3 ? 14 : 12) {
    case 0: .none
    case 1: .plain(.int(Int64(below(5))))
    case 2: .plain(.bool(random.oneIn(2)))
    case 3: .plain(.string(word()))
    case 4: .plain(.double(Double(below(5)) / 2))
    case 5: .plain(.float(Float(below(5)) / 2))
    case 6: .plain(.decimal128(Decimal128(below(5))))
    case 7: .plain(.data([UInt8(below(5))]))
    case 8: .plain(.timestamp(Timestamp(seconds: Int64(below(5)))))
    case 9: .plain(.uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(below(5))))))
    case 10: ObjectId(bytes: Array(repeating: UInt8(below(5)), count: 12)).map { .plain(.objectId($0)) } ?? .none
    case 11: item().map { .item($0) } ?? .none
    case 12: .list((0..<below(4)).map { _ in any(depth: depth + 1) })
    default: .dictionary([key(): any(depth: depth + 1), key() + "x": any(depth: depth + 1)])
    }
  }

  private mutating func scalar() -> AnyModel {
    let value = any(depth: 3)
    return value == .none ? .plain(.int(7)) : value
  }

  // MARK: Edits

  /// One edit within a write transaction.
  mutating func edit(_ realm: Realm) {
    func live(_ id: Int) -> Item? { realm.object(ofType: Item.self, forPrimaryKey: id) }
    guard !holders.isEmpty, !random.oneIn(10) else { return create(realm) }
    if random.oneIn(12), let id = item(), let object = live(id) {
      realm.delete(object)
      items[id] = nil
      for holder in holders.keys { holders[holder]?.forget(id) }
      return
    }
    let id = holders.keys.sorted()[below(holders.count)]
    guard let holder = realm.object(ofType: Holder.self, forPrimaryKey: id), var model = holders[id] else { return }
    if random.oneIn(40) {
      realm.delete(holder)
      holders[id] = nil
      return
    }
    edit(holder, &model, live)
    holders[id] = model
  }

  private mutating func create(_ realm: Realm) {
    if random.oneIn(2) {
      let (id, name) = (below(6), word())
      realm.create(Item.self, value: ["id": id, "name": name], update: .modified)
      items[id] = name
      return
    }
    let id = below(4)
    let (ints, entries, x) = ([below(5), below(5)], [key(): below(5)], Double(below(5)))
    let policy: Realm.UpdatePolicy = random.oneIn(2) ? .modified : .all
    realm.create(
      Holder.self, value: ["id": id, "ints": ints, "intSet": ints, "intMap": entries, "spot": ["x": x]], update: policy)
    var model = holders[id] ?? HolderModel()
    (model.ints, model.intSet, model.intMap) = (ints, Set(ints), entries)
    let old = policy == .modified ? model.spot : nil
    model.spot = SpotModel(x: x, y: old?.y ?? 0, note: old?.note)
    holders[id] = model
  }

  private mutating func edit(_ holder: Holder, _ model: inout HolderModel, _ live: (Int) -> Item?) {
    switch below(30) {
    case 0:
      model.link = item().flatMap { maybe($0) }
      holder.link = model.link.flatMap(live)
    case 1:
      let new = spot()
      model.spot = maybe(new)
      holder.spot = model.spot?.spot
    case 2:
      model.spot?.x += 1
      holder.spot?.x += 1
    case 3: (model.species, holder.species) = twice(species())
    case 4:
      let new = species()
      (model.guess, holder.guess) = twice(maybe(new))
    case 5: (model.grade, holder.grade) = twice(Grade.allCases[below(3)])
    case 6:
      model.temperature = Double(below(9))
      holder.temperature = Celsius(degrees: model.temperature)
    case 7:
      model.even = maybe(2 * below(5))
      holder.even = model.even.flatMap { Even(persistedValue: $0) }
    case 8: (model.point, holder.point) = twice(point())
    case 9:
      let new = point()
      (model.target, holder.target) = twice(maybe(new))
    case 10, 11:
      model.any = any()
      holder.any = model.any.value(live)
    case 12, 13, 14: editNested(&model.any, { holder.any }, { holder.any = $0 }, live)
    case 15: edit(holder.ints, &model.ints, below(9), below(9)) { $0 }
    case 16:
      let (first, second) = (below(9), below(9))
      edit(holder.maybeInts, &model.maybeInts, maybe(first), maybe(second)) { $0 }
    case 17: edit(holder.anys, &model.anys, any(), any()) { $0.value(live) }
    case 18: edit(holder.kinds, &model.kinds, species(), species()) { $0 }
    case 19: edit(holder.spots, &model.spots, spot(), spot()) { $0.spot }
    case 20: edit(holder.points, &model.points, point(), point()) { $0 }
    case 21:
      guard let first = item(), let second = item(), live(first) != nil, live(second) != nil else { return }
      edit(holder.links, &model.links, first, second) { live($0) ?? Item() }
    case 22:
      edit(holder.intSet, &model.intSet, below(5)) { $0 }
      edit(holder.otherSet, &model.otherSet, below(5)) { $0 }
      algebra(holder, &model)
    case 23:
      let new = word()
      edit(holder.wordSet, &model.wordSet, maybe(new)) { $0 }
      edit(holder.kindSet, &model.kindSet, Grade.allCases[below(3)]) { $0 }
    case 24: edit(holder.anySet, &model.anySet, scalar()) { $0.value(live) }
    case 25: if let id = item() { edit(holder.linkSet, &model.linkSet, id) { live($0) ?? Item() } }
    case 26:
      let new = word()
      edit(holder.intMap, &model.intMap, below(9)) { $0 }
      edit(holder.wordMap, &model.wordMap, maybe(new)) { $0 }
    case 27: edit(holder.anyMap, &model.anyMap, any()) { $0.value(live) }
    case 28:
      let (new, kind) = (spot(), species())
      edit(holder.spotMap, &model.spotMap, maybe(new)) { $0?.spot }
      edit(holder.kindMap, &model.kindMap, maybe(kind)) { $0 }
    default:
      let new = item()
      edit(holder.linkMap, &model.linkMap, new.flatMap { maybe($0) }) { $0.flatMap(live) }
    }
  }

  private func twice<T>(_ value: T) -> (T, T) { (value, value) }

  private mutating func edit<E: RealmCollectionValue, M>(
    _ list: List<E>, _ model: inout [M], _ element: M, _ other: M, _ convert: (M) -> E
  ) {
    let count = model.count
    switch below(9) {
    case _ where count == 0, 0:
      list.append(objectsIn: [convert(element), convert(other)])
      model += [element, other]
    case 1:
      let position = below(count + 1)
      list.insert(convert(element), at: position)
      model.insert(element, at: position)
    case 2, 3:
      let position = below(count)
      list[position] = convert(element)
      model[position] = element
    case 4:
      let (source, target) = (below(count), below(count))
      list.move(from: source, to: target)
      model.insert(model.remove(at: source), at: target)
    case 5:
      let position = below(count)
      list.remove(at: position)
      model.remove(at: position)
    case 6:
      let (first, second) = (below(count), below(count))
      list.swapAt(first, second)
      model.swapAt(first, second)
    case 7:
      let start = below(count)
      let range = start..<start + below(count - start + 1)
      list.replaceSubrange(range, with: [convert(other)])
      model.replaceSubrange(range, with: [other])
    default:
      guard random.oneIn(3) else { return }
      list.removeAll()
      model.removeAll()
    }
  }

  private mutating func edit<E: RealmCollectionValue, M: Hashable>(
    _ set: MutableSet<E>, _ model: inout Set<M>, _ element: M, _ convert: (M) -> E
  ) {
    switch below(6) {
    case 0, 1, 2:
      set.insert(convert(element))
      model.insert(element)
    case 3, 4:
      set.remove(convert(element))
      model.remove(element)
    default:
      guard random.oneIn(3) else { return }
      set.removeAll()
      model.removeAll()
    }
  }

  private mutating func algebra(_ holder: Holder, _ model: inout HolderModel) {
    switch below(4) {
    case 0:
      holder.intSet.formUnion(holder.otherSet)
      model.intSet.formUnion(model.otherSet)
    case 1:
      holder.intSet.subtract(holder.otherSet)
      model.intSet.subtract(model.otherSet)
    case 2:
      holder.intSet.formIntersection(holder.otherSet)
      model.intSet.formIntersection(model.otherSet)
    default: break
    }
  }

  private mutating func edit<V: RealmCollectionValue, M>(
    _ map: Map<String, V>, _ model: inout [String: M], _ value: M, _ convert: (M) -> V
  ) {
    let name = key()
    switch below(6) {
    case 0, 1, 2:
      map.updateValue(convert(value), forKey: name)
      model.updateValue(value, forKey: name)
    case 3, 4:
      map.removeObject(for: name)
      model.removeValue(forKey: name)
    default:
      guard random.oneIn(3) else { return }
      map.removeAll()
      model.removeAll()
    }
  }

  /// Goes down into nested collections and edits one of them.
  private mutating func editNested(
    _ model: inout AnyModel, _ read: () -> AnyRealmValue, _ write: (AnyRealmValue) -> Void, _ live: (Int) -> Item?
  ) {
    switch model {
    case .list(var elements):
      guard let list = read().listValue else { return }
      if !elements.isEmpty, random.oneIn(2) {
        let position = below(elements.count)
        editNested(&elements[position], { list[position] }, { list[position] = $0 }, live)
      } else {
        edit(list, &elements, any(depth: 2), any(depth: 2)) { $0.value(live) }
      }
      model = .list(elements)
    case .dictionary(var entries):
      guard let map = read().dictionaryValue else { return }
      if let name = entries.keys.sorted().first, random.oneIn(2), var entry = entries[name] {
        editNested(&entry, { map[name] ?? .none }, { map[name] = $0 }, live)
        entries[name] = entry
      } else {
        edit(map, &entries, any(depth: 2)) { $0.value(live) }
      }
      model = .dictionary(entries)
    default:
      model = any(depth: 1)
      write(model.value(live))
    }
  }
}
