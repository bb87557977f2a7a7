import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

/// The schemas that a process remembers.
@Suite struct KnownSchemaTests {
  private let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self]

  @Test("files that say the same have one catalog, and one that changed has its own")
  func sharing() throws {
    let folder = try TemporaryFolder()
    let configurations = ["one", "two"].map { folder.configuration($0, types: types) }
    for configuration in configurations { _ = try Realm(configuration: configuration) }
    let first = try Realm(configuration: configurations[0])
    do {
      let second = try Realm(configuration: configurations[1])
      #expect(first.view.catalog === second.view.catalog)
    }
    let second = try Realm(configuration: folder.configuration("two", types: types + [Spot.self]))
    #expect(first.view.catalog !== second.view.catalog)
    #expect(first.view.catalog["Spot"] == nil)
    #expect(second.view.catalog["Spot"] != nil)
  }

  @Test("a schema that fitted one catalog is compared anew with another")
  func plans() throws {
    let folder = try TemporaryFolder()
    let model = ModelSchema.of(types)
    let realm = try Realm(configuration: folder.configuration(types: types))
    let catalog = realm.view.catalog
    for _ in 0..<2 { #expect(model.plan(for: catalog).isEmpty) }
    #expect(model.fits(catalog))
    #expect(model.plan(for: .empty).newClasses.count == types.count)
    let layout = try #require(catalog["Dog"])
    let less = catalog.copy()
    less.remove(layout)
    #expect(model.plan(for: less).newClasses.map(\.className) == ["Dog"])
    #expect(model.fits(catalog))
  }

  @Test("the catalogs used last are kept, and one that cannot be read is not")
  func memo() throws {
    let memo = CatalogMemo()
    let contents = (0...CatalogMemo.limit).map { number in
      Catalog(revision: UInt64(number), schemaVersion: 0, classes: [], unresolved: nil).encoded()
    }
    let first = try memo.catalog(contents[0])
    let second = try memo.catalog(contents[1])
    for content in contents.dropLast() { _ = try memo.catalog(content) }
    #expect(try memo.catalog(contents[0]) === first)
    // One too many: the one that was not asked for longest goes.
    _ = try memo.catalog(contents[CatalogMemo.limit])
    #expect(try memo.catalog(contents[0]) === first)
    #expect(try memo.catalog(contents[1]) !== second)
    #expect(try memo.catalog(contents[2]).revision == 2)
    for _ in 0..<2 { #expect(throws: (any Error).self) { try memo.catalog([9]) } }
  }
}
