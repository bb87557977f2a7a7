import ChangesetOT
import DataModel
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("what is remembered of recent entries")
struct RecentWriteSetsTests {
  private func writeSet(_ keys: Range<Int64>) -> WriteSet {
    WriteSet(keys.map { .eraseObject(EraseObject(object: ObjectReference(className: "Item", key: .int($0)))) })
  }

  private func entry(_ keys: Range<Int64>, isPrivate: Bool = false) -> RecentWriteSets.Entry {
    .init(writeSet: writeSet(keys), source: FileIdent(2), isPrivate: isPrivate)
  }

  /// Meets none of the others.
  private var nothing: WriteSet { writeSet(-1..<0) }

  @Test("entries are added before and behind, and the missing ones are named")
  func ranges() {
    var recent = RecentWriteSets()
    #expect(recent.missing(in: 5...9) == [5...9])
    recent.insert([entry(5..<6), entry(6..<7)], from: 5)
    #expect(recent.missing(in: 5...6).isEmpty)
    #expect(recent.missing(in: 3...9) == [3...4, 7...9])
    recent.insert([entry(7..<8)], from: 7)
    recent.insert([entry(3..<4), entry(4..<5)], from: 3)
    #expect(recent.missing(in: 3...7).isEmpty)
    for version in Int64(3)...7 {
      #expect(
        recent.versions(in: 3...7, conflictingWith: writeSet(version..<version + 1), for: FileIdent(3)) == [version])
    }
    #expect(recent.versions(in: 2...8, conflictingWith: nothing, for: FileIdent(3)) == [2, 8])
    recent.forget(after: 5)
    #expect(recent.versions(in: 5...6, conflictingWith: nothing, for: FileIdent(3)) == [6])
    #expect(recent.missing(in: 3...7) == [6...7])
    recent.insert([entry(20..<21)], from: 20)
    #expect(recent.missing(in: 3...5) == [3...5], "what does not touch the known ones takes their place")
    #expect(recent.versions(in: 20...20, conflictingWith: writeSet(20..<21), for: FileIdent(3)) == [20])
    #expect(recent.versions(in: 20...20, conflictingWith: nothing, for: FileIdent(3)) == [])
  }

  @Test("what may meet something is found, and what is not known may meet everything")
  func conflicts() {
    var recent = RecentWriteSets()
    recent.insert((5..<10).map { entry($0..<$0 + 2) }, from: 5)
    #expect(recent.versions(in: 5...9, conflictingWith: writeSet(7..<8), for: FileIdent(3)) == [6, 7])
    #expect(recent.versions(in: 3...11, conflictingWith: writeSet(7..<8), for: FileIdent(3)) == [3, 4, 6, 7, 10, 11])
    #expect(recent.versions(in: 5...9, conflictingWith: writeSet(20..<21), for: FileIdent(3)) == [])
    recent.forget(after: 6)
    recent.insert([entry(1..<2)], from: 7)
    #expect(recent.versions(in: 5...7, conflictingWith: writeSet(1..<7), for: FileIdent(3)) == [5, 6, 7])
    recent.insert([entry(0..<Int64(RecentWriteSets.limit - 20))], from: 8)
    #expect(recent.versions(in: 5...8, conflictingWith: nothing, for: FileIdent(3)) == [5], "the oldest was forgotten")
  }

  @Test("the oldest go when there are too many")
  func limit() {
    var recent = RecentWriteSets()
    let half = entry(0..<Int64(RecentWriteSets.limit / 2 - 10))
    recent.insert([half, half], from: 1)
    #expect(recent.missing(in: 1...2).isEmpty)
    recent.insert([half], from: 3)
    #expect(recent.missing(in: 1...3) == [1...1])
    recent.forget(after: 2)
    recent.insert([half], from: 3)
    #expect(recent.missing(in: 1...3) == [1...1], "what was forgotten takes no room")
    recent.insert([entry(0..<Int64(RecentWriteSets.limit + 1))], from: 4)
    #expect(recent.missing(in: 1...4) == [1...4])
  }

  @Test("a file meets no entry of its own, and none that is for another one alone")
  func sources() {
    var recent = RecentWriteSets()
    recent.insert([entry(0..<1), entry(0..<1, isPrivate: true)], from: 1)
    #expect(recent.versions(in: 1...2, conflictingWith: writeSet(0..<1), for: FileIdent(2)) == [2])
    #expect(recent.versions(in: 1...2, conflictingWith: writeSet(0..<1), for: FileIdent(3)) == [1])
  }

  @Test("entries that an upload asked for stay until others have asked for less for a while")
  func inUse() {
    var recent = RecentWriteSets()
    let large = entry(0..<Int64(RecentWriteSets.limit / 2))
    recent.use(from: 1)
    recent.insert([large, large, large, large], from: 1)
    #expect(recent.missing(in: 1...4).isEmpty)
    recent.use(from: 4)
    recent.insert([entry(0..<1)], from: 5)
    #expect(recent.missing(in: 1...5).isEmpty, "the author that is behind writes next")
    for version in Int64(6)...100 {
      recent.use(from: version)
      recent.insert([entry(0..<1)], from: version)
    }
    #expect(recent.missing(in: 1...100) == [1...3])
    recent.use(from: 1)
    for version in Int64(101)...150 { recent.insert([large], from: version) }
    #expect(recent.missing(in: 110...150).isEmpty == false, "and there is a limit for these, too")
  }
}
