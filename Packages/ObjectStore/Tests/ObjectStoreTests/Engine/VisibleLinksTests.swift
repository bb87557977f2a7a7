import DataModel
import TestKit
import Testing

@testable import RecordStore

@Suite("links to objects that do not exist, read as values")
struct VisibleLinksTests {
  @Test(
    "without unresolved links an object names none that does not exist, and is otherwise what the file has",
    arguments: 1...8)
  func visible(seed: UInt64) throws {
    let file = try unresolvedFile(seed)
    let (all, dump) = (try file.contents(), try file.dump())
    var contents = all
    contents.hidesUnresolvedLinks = true
    var hidden = 0
    for (name, objects) in dump.objects {
      for (key, fields) in objects {
        let object = ObjectReference(className: name, key: key)
        let record = try #require(try contents.object(object))
        #expect(try all.object(object)?.fields == fields)
        for (property, item) in fields {
          let expected = Self.visible(item, dump, isLinks: Self.isLinks(property))
          #expect(record[property] == expected)
          if expected != item { hidden += 1 }
        }
      }
    }
    #expect(hidden > 0)
  }

  @Test("the referrers of an object are those that name it, whether or not it exists", arguments: 1...8)
  func referrers(seed: UInt64) throws {
    let file = try unresolvedFile(seed)
    let (contents, dump) = (try file.contents(), try file.dump())
    var expected: [ObjectReference: [ObjectReference: Set<String>]] = [:]
    for (name, objects) in dump.objects {
      for (key, fields) in objects {
        let origin = ObjectReference(className: name, key: key)
        for (property, item) in fields {
          for target in Self.links(item) { expected[target, default: [:]][origin, default: []].insert(property) }
        }
      }
    }
    for (target, origins) in expected { #expect(try contents.referrers(of: target) == origins) }
    #expect(try expected.keys.contains { try contents.object($0) == nil })
    #expect(try contents.referrers(of: ObjectReference(className: "Item", key: .int(-99))) == [:])
  }

  /// The properties of `Holder` that are lists or sets of links to one class.
  private static func isLinks(_ property: String) -> Bool { ["links", "linkSet"].contains(property) }

  private static func visible(_ item: StateDump.Item, _ dump: StateDump, isLinks: Bool) -> StateDump.Item {
    func isThere(_ value: Value) -> Bool {
      guard case .link(let target) = value else { return true }
      return dump.objects[target.className]?[target.key] != nil
    }
    func shown(_ value: Value) -> Value {
      switch value {
      case .link: isThere(value) ? value : .null
      case .list(let elements): .list(elements.map(shown))
      case .dictionary(let entries): .dictionary(entries.mapValues(shown))
      default: value
      }
    }
    func isKept(_ item: StateDump.Item) -> Bool {
      if case .value(let value) = item { return !isLinks || isThere(value) }
      return true
    }
    switch item {
    case .value(let value): return .value(shown(value))
    case .list(let items): return .list(items.filter(isKept).map { visible($0, dump, isLinks: false) })
    case .set(let values): return .set(Set(values.filter { !isLinks || isThere($0) }.map(shown)))
    case .dictionary(let entries): return .dictionary(entries.mapValues { visible($0, dump, isLinks: false) })
    case .embedded(let fields):
      return .embedded(
        Dictionary(uniqueKeysWithValues: fields.map { ($0, visible($1, dump, isLinks: Self.isLinks($0))) }))
    }
  }

  private static func links(_ item: StateDump.Item) -> [ObjectReference] {
    func links(_ value: Value) -> [ObjectReference] {
      switch value {
      case .link(let target): [target]
      case .list(let elements): elements.flatMap(links)
      case .dictionary(let entries): entries.values.flatMap(links)
      default: []
      }
    }
    switch item {
    case .value(let value): return links(value)
    case .list(let items): return items.flatMap(Self.links)
    case .set(let values): return values.flatMap(links)
    case .dictionary(let entries), .embedded(let entries): return entries.values.flatMap(Self.links)
    }
  }
}
