import ChangesetOT
import ChangesetOTTestSupport
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

private func item(_ key: Int64) -> ObjectReference { ObjectReference(className: "Item", key: .int(key)) }

/// The cost of many links, in counted steps: near-linear in the number of targets, and nothing per link for targets that
/// come back.
@Suite("the cost of links")
struct LinkCostTests {
  /// Fields of the sample that hold several links, and the single ones that lead to one target.
  enum Origin: CaseIterable { case list, set, dictionary, mixed, nested, single }

  private func create(_ key: Int64) -> Instruction { .createObject(CreateObject(object: item(key))) }
  private func erase(_ key: Int64) -> Instruction { .eraseObject(EraseObject(object: item(key))) }

  /// A file where object 1 links to objects 100, 101, …
  private func file(_ origin: Origin, targets: Int) throws -> RealmFile {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    let keys = (0..<Int64(targets)).map { 100 + $0 }
    try file.commit(keys.map(create))
    func target(_ field: String, _ path: PathElement...) -> Target {
      Target(object: item(1), field: field, path: path)
    }
    var instructions: [Instruction] = []
    switch origin {
    case .mixed: instructions = [.update(Update(target: target("m"), payload: .dictionary))]
    case .nested:
      instructions = [
        .update(Update(target: target("m"), payload: .list)), .clear(Clear(target: target("m"), collection: .list)),
      ]
    case .list: instructions = [.clear(Clear(target: target("refs"), collection: .list))]
    default: break
    }
    for (number, key) in keys.enumerated() {
      let link = Payload.link(item(key))
      switch origin {
      case .list, .nested:
        let place = target(origin == .list ? "refs" : "m", .index(UInt32(number)))
        instructions.append(.arrayInsert(ArrayInsert(target: place, payload: link, priorSize: UInt32(number))))
      case .set: instructions.append(.setInsert(SetInsert(target: target("rset"), payload: link)))
      case .dictionary: instructions.append(.update(Update(target: target("props", .name("k\(key)")), payload: link)))
      case .mixed: instructions.append(.update(Update(target: target("m", .name("k\(key)")), payload: link)))
      case .single:
        let place = Target(object: item(key), field: "ref")
        instructions.append(.update(Update(target: place, payload: .link(item(1)))))
      }
    }
    try file.commit(instructions)
    return file
  }

  /// Steps of one transaction.
  private func steps(_ file: RealmFile, _ instructions: [Instruction]) throws -> Int {
    let changeset = Changeset(
      instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none))
    let session = try WriteSession(file, isRecorded: false)
    try ChangesetApplier(writer: session.writer).apply(changeset)
    _ = try session.commit()
    return session.writer.work.steps
  }

  @Test("erasing all targets of a collection, and making them again, grows as their number", arguments: Origin.allCases)
  func applied(_ origin: Origin) throws {
    var counts: [Int] = []
    for targets in [100, 200, 400] {
      let file = try file(origin, targets: targets)
      let keys = origin == .single ? [1] : (0..<Int64(targets)).map { 100 + $0 }
      counts.append(try steps(file, keys.map(erase)))
      counts.append(try steps(file, keys.map(create)))
      #expect(try LinkBooks(file).complaint == nil)
    }
    #expect(counts[2] <= counts[0] * 3, "erased \(counts)")
    #expect(counts[4] <= counts[2] * 3, "erased \(counts)")
    #expect(counts[5] <= counts[3] * 3, "made again \(counts)")
    #expect(counts[0] > 0, "the steps are counted")
  }

  @Test("erasing and making a linked object in turn costs nothing per link", arguments: Origin.allCases)
  func inTurn(_ origin: Origin) throws {
    let file = try file(origin, targets: 200)
    let key: Int64 = origin == .single ? 1 : 150
    let pair = [erase(key), create(key)]
    let once = try steps(file, [erase(key)])
    _ = try steps(file, [create(key)])
    let often = try steps(file, (0..<100).flatMap { _ in pair } + [erase(key)])
    #expect(often <= once, "\(often) steps against \(once)")
    #expect(try file.dump().objects["Item"]?[.int(key)] == nil)
    #expect(try LinkBooks(file).complaint == nil)
  }

  @Test("deleting the targets of a list one by one grows as their number", arguments: [0, 1, 2])
  func deleted(order: Int) throws {
    var counts: [Int] = []
    for targets in [200, 400, 800] {
      let realm = try Realm(configuration: memoryConfiguration(recordsChangesets: true))
      let person = try realm.write { () -> Person in
        let dogs = (0..<targets).map { ["name": "\($0)"] as [String: Any] }
        return realm.create(Person.self, value: ["id": 1, "dogs": dogs] as [String: Any])
      }
      var dogs = Array(person.dogs)
      if order == 1 { dogs.reverse() }
      if order == 2 {
        var random = SeededGenerator(seed: 7)
        dogs.shuffle(using: &random)
      }
      realm.beginWrite()
      for (number, dog) in dogs.enumerated() {
        realm.delete(dog)
        if number % 100 == 50 { #expect(person.dogs.count == targets - number - 1) }
      }
      counts.append(realm.view.writer.work.steps)
      try realm.commitWrite()
      #expect(person.dogs.isEmpty)
      #expect(try LinkBooks(realm.file).complaint == nil)
    }
    #expect(counts[1] <= counts[0] * 3, "\(counts)")
    #expect(counts[2] <= counts[1] * 3, "\(counts)")
  }

  @Test("one target that a list holds many times is as cheap to add and to take away")
  func repeated() throws {
    let file = try memoryFile()
    try file.commit(ModelState.sample().instructions)
    let refs = Target(object: item(2), field: "refs")
    func element(_ index: Int) -> Target { Target(object: item(2), field: "refs", path: [.index(UInt32(index))]) }
    try file.commit([.clear(Clear(target: refs, collection: .list))])
    try file.commit(
      (0..<300).map { .arrayInsert(ArrayInsert(target: element($0), payload: .link(item(1)), priorSize: UInt32($0))) })
    #expect(try LinkBooks(file).complaint == nil)
    try file.commit((0..<100).map { .arrayErase(ArrayErase(target: element(0), priorSize: UInt32(300 - $0))) })
    #expect(try LinkBooks(file).complaint == nil)
    try file.commit([.clear(Clear(target: refs, collection: .list))])
    #expect(try LinkBooks(file).complaint == nil)
  }

  @Test("a change inside a collection of many links changes the links that change")
  func nestedEdit() throws {
    let file = try file(.nested, targets: 100)
    func place(_ index: UInt32) -> Target { Target(object: item(1), field: "m", path: [.index(index)]) }
    let changed = Instruction.update(Update(target: place(7), payload: .link(item(1)), priorSize: 100))
    #expect(try steps(file, [changed]) == 2 + 101 * 4)
    #expect(try LinkBooks(file).complaint == nil)
    let erased = Instruction.arrayErase(ArrayErase(target: place(7), priorSize: 100))
    #expect(try steps(file, [erased]) == 1 + 101 * 4)
    #expect(try LinkBooks(file).complaint == nil)
  }

  @Test("edits between deletions are seen")
  func interleaved() throws {
    for seed in Seeds.some(10) {
      var random = SeededGenerator(seed: seed)
      let realm = try Realm(configuration: memoryConfiguration())
      let person = try realm.write { () -> Person in
        let dogs = (0..<80).map { ["name": "\($0)"] as [String: Any] }
        return realm.create(Person.self, value: ["id": 1, "dogs": dogs] as [String: Any])
      }
      var expected = Array(person.dogs.map(\.name))
      realm.beginWrite()
      for number in 0..<60 {
        let at = random.below(expected.count)
        switch random.below(5) {
        case 0:
          person.dogs.insert(Dog(value: ["name": "n\(number)"]), at: at)
          expected.insert("n\(number)", at: at)
        case 1:
          person.dogs.append(person.dogs[at])
          expected.append(expected[at])
        case 2:
          person.dogs.move(from: at, to: 0)
          expected.insert(expected.remove(at: at), at: 0)
        default:
          realm.delete(person.dogs[at])
          let name = expected[at]
          expected.removeAll { $0 == name }
        }
        #expect(Array(person.dogs.map(\.name)) == expected, "SEED=\(seed)")
      }
      try realm.commitWrite()
      #expect(try LinkBooks(realm.file).complaint == nil, "SEED=\(seed)")
    }
  }
}
