import DataModel
import Foundation
import StorageEngine

@testable import ObjectStore
@testable import RecordStore

/// A mixed value in memory; links by the id of the item.
indirect enum AnyModel: Hashable {
  case none, item(Int), list([AnyModel]), dictionary([String: AnyModel])
  case plain(Value)

  init(_ value: AnyRealmValue) {
    switch value {
    case .none: self = .none
    case .object(let object): self = (object as? Item).map { .item($0.id) } ?? .none
    case .list(let list): self = .list(list.map { AnyModel($0) })
    case .dictionary(let map):
      self = .dictionary(Dictionary(uniqueKeysWithValues: map.map { ($0.key, AnyModel($0.value)) }))
    case .date(let date): self = .plain(.timestamp(Timestamp(date)))
    default: self = .plain(Value(literal: value._queryLiteral ?? NSNull()))
    }
  }

  /// The value for a realm in which the items are.
  func value(_ items: (Int) -> Item?) -> AnyRealmValue {
    switch self {
    case .none: return .none
    case .item(let id): return items(id).map { .object($0) } ?? .none
    case .list(let elements): return .fromArray(elements.map { $0.value(items) })
    case .dictionary(let entries): return .fromDictionary(entries.mapValues { $0.value(items) })
    case .plain(let value):
      return StoredValue(value)?.literal.flatMap { AnyRealmValue._converted($0) } ?? .none
    }
  }

  /// The model after an item is deleted.
  func without(_ id: Int) -> AnyModel {
    switch self {
    case .item(id): .none
    case .list(let elements): .list(elements.map { $0.without(id) })
    case .dictionary(let entries): .dictionary(entries.mapValues { $0.without(id) })
    default: self
    }
  }
}

struct SpotModel: Hashable {
  var x = 0.0, y = 0.0
  var note: String?

  init(x: Double = 0, y: Double = 0, note: String? = nil) { (self.x, self.y, self.note) = (x, y, note) }
  init(_ spot: Spot) { self.init(x: spot.x, y: spot.y, note: spot.note) }
  var spot: Spot { Spot(value: ["x": x, "y": y, "note": note as Any]) }
}

/// Everything that a ``Holder`` holds, in plain Swift collections.
struct HolderModel: Equatable {
  var link: Int?
  var spot: SpotModel?
  var species = Species.dog
  var guess: Species?
  var grade = Grade.low
  var temperature = 0.0
  var even: Int?
  var point = Point(x: 0, y: 0)
  var target: Point?
  var any = AnyModel.none
  var ints: [Int] = []
  var maybeInts: [Int?] = []
  var anys: [AnyModel] = []
  var kinds: [Species] = []
  var spots: [SpotModel] = []
  var points: [Point] = []
  var links: [Int] = []
  var intSet: Set<Int> = []
  var otherSet: Set<Int> = []
  var wordSet: Set<String?> = []
  var anySet: Set<AnyModel> = []
  var kindSet: Set<Grade> = []
  var linkSet: Set<Int> = []
  var intMap: [String: Int] = [:]
  var wordMap: [String: String?] = [:]
  var anyMap: [String: AnyModel] = [:]
  var kindMap: [String: Species?] = [:]
  var spotMap: [String: SpotModel?] = [:]
  var linkMap: [String: Int?] = [:]

  init() {}

  init(_ holder: Holder) {
    func entries<V: RealmCollectionValue, M>(_ map: Map<String, V>, _ convert: (V) -> M) -> [String: M] {
      Dictionary(map.map { ($0.key, convert($0.value)) }, uniquingKeysWith: { first, _ in first })
    }
    link = holder.link?.id
    spot = holder.spot.map { SpotModel($0) }
    (species, guess, grade) = (holder.species, holder.guess, holder.grade)
    (temperature, even) = (holder.temperature.degrees, holder.even?.value)
    (point, target, any) = (holder.point, holder.target, AnyModel(holder.any))
    (ints, maybeInts, anys) = (Array(holder.ints), Array(holder.maybeInts), holder.anys.map { AnyModel($0) })
    (kinds, spots) = (Array(holder.kinds), holder.spots.map { SpotModel($0) })
    (points, links) = (Array(holder.points), holder.links.map(\.id))
    (intSet, otherSet, wordSet) = (Set(holder.intSet), Set(holder.otherSet), Set(holder.wordSet))
    anySet = Set(holder.anySet.map { AnyModel($0) } as [AnyModel])
    (kindSet, linkSet) = (Set(holder.kindSet), Set(holder.linkSet.map(\.id) as [Int]))
    intMap = entries(holder.intMap) { $0 }
    wordMap = entries(holder.wordMap) { $0 }
    anyMap = entries(holder.anyMap) { AnyModel($0) }
    kindMap = entries(holder.kindMap) { $0 }
    spotMap = entries(holder.spotMap) { $0.map { SpotModel($0) } }
    linkMap = entries(holder.linkMap) { $0?.id }
  }

  /// Removes a deleted item from every value.
  mutating func forget(_ id: Int) {
    if link == id { link = nil }
    any = any.without(id)
    anys = anys.map { $0.without(id) }
    links.removeAll { $0 == id }
    anySet.remove(.item(id))
    linkSet.remove(id)
    anyMap = anyMap.mapValues { $0.without(id) }
    linkMap = linkMap.mapValues { $0 == id ? nil : $0 }
  }
}
