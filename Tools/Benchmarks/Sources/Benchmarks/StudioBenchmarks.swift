import DataExchange
import DataModel
import Foundation
import ObjectStore
import RecordStore

/// Pages of a class as Studio's grid asks for them: the order of the objects is made once per version and query, then any page is
/// read from it, with values as texts. A person waits for each: the bounds are times, not ratios.
let studioBenchmarks = Suite(prefix: "studio.") { report in
  guard ["first", "anywhere", "query", "scan", "sort"].contains(where: { report.wants("studio." + $0) }) else { return }
  let fixture = try PeopleFixture.loaded()
  let grid = try StudioGrid(fixture.realm.file)
  report.row(
    "studio.first-1m", "the first 100 of 1,000,000 objects, from the file on",
    ours: try medianSeconds(of: 20) { try StudioGrid(fixture.realm.file).page(at: 0) }, rival: nil, unit: "s",
    .atMost(0.15))
  var place = 0
  report.row(
    "studio.anywhere-1m", "100 objects at any place",
    ours: try medianSeconds(of: 50) {
      place = (place &* 48_271 &+ 12_345) % fixture.count
      try grid.page(at: place)
    }, rival: nil, unit: "s", .atMost(0.1))
  let middle = fixture.count / 2
  report.row(
    "studio.query-10", "the 10 objects that a query hits",
    ours: try medianSeconds(of: 20) {
      try StudioGrid(fixture.realm.file, query: "id BETWEEN {\(middle), \(middle + 9)}").page(at: 0)
    }, rival: nil, unit: "s", .atMost(0.1))
  report.row(
    "studio.scan-10", "the 10 objects whose name has a part that no index knows",
    ours: try medianSeconds(of: 5) {
      try StudioGrid(fixture.realm.file, query: "name CONTAINS 'person-0050000'").page(at: 0)
    }, rival: nil, unit: "s", .atMost(0.1))
  let query = "TRUEPREDICATE SORT(age DESC)"
  report.row(
    "studio.sort-1m", "all objects sorted by a property, once per version",
    ours: try medianSeconds(of: 3) { try StudioGrid(fixture.realm.file, query: query).page(at: 0) }, rival: nil,
    unit: "s")
  let sorted = try StudioGrid(fixture.realm.file, query: query)
  report.row(
    "studio.sorted-anywhere", "100 of them at any place",
    ours: try medianSeconds(of: 50) {
      place = (place &* 48_271 &+ 12_345) % fixture.count
      try sorted.page(at: place)
    }, rival: nil, unit: "s", .atMost(0.1))
}

/// One version of the people in the order of a query.
private struct StudioGrid {
  private let contents: RealmContents
  private let positions: ObjectPositions
  private let texts: FieldText
  private let properties: [Property]

  init(_ file: RealmFile, query: String? = nil) throws {
    contents = try file.contents()
    positions = try contents.positions(of: "Person", matching: query)
    texts = FieldText(contents.schema)
    properties = contents.schema["Person"]?.properties ?? []
  }

  func page(at start: Int) throws {
    for record in try contents.page(at: positions, from: start, count: 100).records {
      for property in properties { consume(record.fields[property.name].flatMap { texts.text($0, property) }) }
    }
  }
}
