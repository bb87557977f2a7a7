import ChangesetOT
import DataModel
import Foundation
import StorageEngine
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

/// Objects without primary key have keys that begin with the ident of the file that made them. Before a file has an ident
/// it makes them all the same.
@Suite("objects without primary key, made before the first ident")
struct KeylessObjectsTests {
  private func expectEqual(_ network: LeafNetwork, _ devices: LeafDevice...) throws {
    let expected = try network.server.file.dump()
    for device in devices {
      let found = try device.realm.file.dump()
      if found != expected { Issue.record("device\n\(found)\nserver\n\(expected)") }
      #expect(try LinkBooks(device.realm.file).complaint == nil)
      try device.realm.file.store.verify()
      #expect(try device.realm.file.latestReadView().unresolvedCount == 0)
    }
  }

  @Test("what two devices made apart are different objects, and so are those that they link to")
  func twoDevices() throws {
    var network = try LeafNetwork()
    let (ann, bob) = (try LeafDevice(), try LeafDevice())
    try ann.makeRing(["a1", "a2", "a3"])
    try bob.makeRing(["b1", "b2", "b3"])
    try network.meet(ann)
    try network.meet(bob)
    try network.meet(ann)
    for device in [ann, bob] {
      #expect(device.names == ["a1", "a2", "a3", "b1", "b2", "b3"])
      for maker in ["a", "b"] {
        #expect(device["\(maker)1"]?.linked == Array(repeating: "\(maker)2", count: 6))
        #expect(device["\(maker)3"]?.linked == Array(repeating: "\(maker)1", count: 6))
      }
      #expect(try device.makers == [2, 3])
    }
    try expectEqual(network, ann, bob)
  }

  @Test("what was changed and erased before the first ident is so for everybody; what is made later is something else")
  func erasedAndChanged() throws {
    var network = try LeafNetwork()
    let (ann, bob) = (try LeafDevice(), try LeafDevice())
    let mine = try ann.makeRing(["a1", "a2", "a3"])
    try ann.realm.write {
      ann.realm.delete(mine[1])
      mine[0].count += 5
      mine[0].place = Address(value: ["street": "Elm", "number": 3])
    }
    try bob.makeRing(["b1", "b2", "b3"])
    try network.meet(bob)
    try network.meet(ann)
    try ann.makeRing(["a4", "a5"])
    try ann.realm.write { mine[0].count += 1 }
    try bob.realm.write { bob["b1"]?.count = 7 }
    for device in [bob, ann, bob] { try network.meet(device) }
    #expect(bob.names == ["a1", "a3", "a4", "a5", "b1", "b2", "b3"])
    #expect(bob["a1"]?.count == 6)
    #expect(bob["a1"]?.place?.street == "Elm")
    #expect(bob["b1"]?.count == 7)
    #expect(bob["a1"]?.linked == ["-", "", "", "-", "-", "-"])
    try expectEqual(network, ann, bob)
  }

  @Test("the file may be closed and opened again before its ident comes, and its copies are other devices")
  func restartedAndCopied() throws {
    let folder = try TemporaryFolder()
    let paths = (0..<3).map { folder.url.appendingPathComponent("\($0).realm").path }
    var network = try LeafNetwork()
    do { try LeafDevice(LeafDevice.configuration(path: paths[0])).makeRing(["a1", "a2"]) }
    let first = try LeafDevice(LeafDevice.configuration(path: paths[0]))
    // One copy by the API, one as a file that an app is shipped with.
    try first.realm.writeCopy(toFile: URL(fileURLWithPath: paths[1]))
    try first.realm.writeCopy(configuration: LeafDevice.configuration(path: paths[2]))
    let copies = try paths[1...].map { try LeafDevice(LeafDevice.configuration(path: $0)) }
    let devices = [first] + copies
    for (number, device) in devices.enumerated() { try device.makeRing(["of \(number)"]) }
    for device in devices + devices { try network.meet(device) }
    for device in devices { #expect(device.names == ["a1", "a1", "a1", "a2", "a2", "a2", "of 0", "of 1", "of 2"]) }
    try expectEqual(network, first, copies[0], copies[1])
  }

  @Test("live and frozen objects, references and links stay, and observers hear of no change")
  func heldObjects() throws {
    var network = try LeafNetwork()
    let ann = try LeafDevice()
    let mine = try ann.makeRing(["a1", "a2", "a3"])
    let frozen = mine[0].freeze()
    let reference = ThreadSafeReference(to: mine[1])
    var heard: [String] = []
    let tokens = [
      ann.realm.objects(Leaf.self).observe { change in if case .update = change { heard.append("\(change)") } },
      mine[0].observe { change in heard.append("\(change)") },
      mine[0].list.observe { change in if case .update = change { heard.append("\(change)") } },
    ]
    ann.realm.refresh()
    // The ident alone, without anything to download.
    let server = try network.server.allocateClientFile(random: &network.random)
    try ann.history.storeFileIdent(server)
    ann.realm.refresh()
    #expect(heard == [])
    #expect(mine.map(\.isInvalidated) == [false, false, false])
    #expect(mine[0].linked == Array(repeating: "a2", count: 6))
    #expect(frozen.name == "a1" && frozen.linked == mine[0].linked)
    #expect(frozen.thaw()?.isSameObject(as: mine[0]) == true)
    #expect(ann.realm.resolve(reference)?.isSameObject(as: mine[1]) == true)
    try ann.realm.write { mine[2].count = 9 }
    ann.realm.refresh()
    #expect(heard.count == 2, "the results, and the list through the link of its element")
    try network.meet(ann)
    let bob = try LeafDevice()
    try network.meet(bob)
    #expect(bob["a3"]?.count == 9)
    try expectEqual(network, ann, bob)
    for token in tokens { token.invalidate() }
  }

  @Test("what was done before the ident can be undone and done again after it")
  func undone() throws {
    var network = try LeafNetwork()
    let (ann, bob) = (try LeafDevice(), try LeafDevice())
    let undo = ann.realm.undoManager
    let mine = try ann.makeRing(["a1", "a2", "a3"])
    try ann.realm.write { mine[0].next = mine[2] }
    try ann.realm.write { ann.realm.delete(mine[1]) }
    try bob.makeRing(["b1", "b2", "b3"])
    for device in [bob, ann] { try network.meet(device) }
    #expect(try undo.undo())
    #expect(ann["a1"]?.linked == ["a3"] + Array(repeating: "a2", count: 5))
    #expect(try undo.undo())
    #expect(ann["a1"]?.linked == Array(repeating: "a2", count: 6))
    for device in [ann, bob] { try network.meet(device) }
    #expect(bob["a1"]?.linked == Array(repeating: "a2", count: 6))
    #expect(try undo.undo())
    #expect(ann.names == ["b1", "b2", "b3"])
    #expect(try undo.redo())
    for device in [ann, bob] { try network.meet(device) }
    #expect(bob.names == ["a1", "a2", "a3", "b1", "b2", "b3"])
    try expectEqual(network, ann, bob)
  }

  @Test("a name that was noted before the ident finds its object after it")
  func notedNames() throws {
    var network = try LeafNetwork()
    let device = try LeafDevice()
    try device.makeRing(["a1", "a2"])
    let noted = ObjectReference(className: "Leaf", key: .global(GlobalKey(high: 0, low: 0)))
    #expect(try device.realm.file.contents().object(noted)?.fields["name"] == .value("a1"))
    try network.meet(device)
    #expect(try device.realm.file.contents().object(noted)?.fields["name"] == .value("a1"))
    try device.realm.file.edit { editor in
      #expect(try editor.contains(noted))
      try editor.set(["name": .value("renamed"), "next": .value(.link(noted))], of: noted)
      // An object that is brought in under such a name belongs to this file, too.
      #expect(try editor.create(ObjectReference(className: "Leaf", key: .global(GlobalKey(high: 0, low: 70)))))
    }
    try network.meet(device)
    #expect(device["renamed"]?.next?.name == "renamed")
    #expect(try device.makers == [2])
    try expectEqual(network, device)
  }

  @Test("new keys fit into the row keys of stock clients, and pass over those that are taken")
  func takenKeys() throws {
    var network = try LeafNetwork()
    let device = try LeafDevice()
    try network.meet(device)
    try device.realm.file.edit { editor in
      for low in 0..<20 as Range<UInt64> {
        try editor.create(ObjectReference(className: "Leaf", key: .global(GlobalKey(high: 2, low: low * 2 + 20))))
      }
    }
    try device.makeRing((0..<30).map { "\($0)" })
    let keys = try #require(try device.realm.file.dump().objects["Leaf"]).keys
    #expect(keys.count == 50)
    for case .global(let key) in keys { #expect(key.high < 1 << 30 && key.low < 1 << 32) }
    for (high, low) in [(1 << 30, 0), (2, 1 << 32)] as [(UInt64, UInt64)] {
      #expect(throws: Realm.Error.self) {
        try device.realm.file.edit { editor in
          try editor.create(ObjectReference(className: "Leaf", key: .global(GlobalKey(high: high, low: low))))
        }
      }
    }
    try network.meet(device)
    try expectEqual(network, device)
  }

  @Test("a stock client sends such keys as they are, and uses its ident later: the server takes both for one object")
  func stockClient() throws {
    var network = try LeafNetwork()
    let device = try LeafDevice()
    try device.makeRing(["b1"])
    try network.meet(device)
    var random = SeededGenerator(seed: 3)
    let ident = try network.server.allocateClientFile(random: &random).ident
    func leaf(_ high: UInt64, _ low: UInt64) -> ObjectReference {
      ObjectReference(className: "Leaf", key: .global(GlobalKey(high: high, low: low)))
    }
    func upload(_ instructions: [Instruction], as version: UInt64) throws -> UploadRefusal? {
      let changeset = Changeset(
        instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(version), file: .none))
      let cursor = UploadCursor(client: ClientVersion(version), server: .zero)
      let entry = UploadEntry(cursor: cursor, timestamp: OriginTimestamp(version), changeset: changeset.encoded())
      let batch = UploadBatch(file: ident, progress: cursor, lockedServerVersion: .zero, entries: [entry])
      guard case .refused(let refusal)? = try network.server.integrate([batch]).first else { return nil }
      return refusal
    }
    func name(_ object: ObjectReference, _ text: String) -> Instruction {
      .update(Update(target: Target(object: object, field: "name"), payload: .string(text)))
    }
    let made: [Instruction] = [
      .createObject(CreateObject(object: leaf(0, 0))), name(leaf(0, 0), "s1"),
      .createObject(CreateObject(object: leaf(0, 1))), name(leaf(0, 1), "s2"),
      .update(Update(target: Target(object: leaf(0, 0), field: "next"), payload: .link(leaf(0, 1)))),
      .arrayInsert(
        ArrayInsert(
          target: Target(object: leaf(0, 1), field: "list", path: [.index(0)]), payload: .link(leaf(0, 0)), priorSize: 0
        )),
      .setInsert(SetInsert(target: Target(object: leaf(0, 1), field: "set"), payload: .link(leaf(0, 0)))),
    ]
    #expect(try upload(made, as: 2) == nil)
    // After it has its ident, the same objects are its own by ident.
    #expect(
      try upload(
        [
          name(leaf(ident.rawValue, 1), "s2 again"),
          .addInteger(AddInteger(target: Target(object: leaf(ident.rawValue, 0), field: "count"), amount: 4)),
          .setErase(SetErase(target: Target(object: leaf(0, 1), field: "set"), payload: .link(leaf(0, 0)))),
        ], as: 3) == nil)
    try network.meet(device)
    #expect(device.names == ["b1", "s1", "s2 again"])
    #expect(device["s1"]?.next?.name == "s2 again")
    #expect(device["s1"]?.count == 4)
    #expect(device["s2 again"]?.list.first?.name == "s1")
    #expect(device["s2 again"]?.set.isEmpty == true)
    #expect(try device.makers == [2, ident.rawValue])
    // Changesets to others name the objects by the ident, too.
    for entry in try network.server.scan(for: FileIdent(2), from: .zero, byteLimit: .max).entries {
      var changeset = try Changeset(
        decoding: entry.changeset, origin: ChangesetOrigin(timestamp: entry.timestamp, file: entry.origin))
      let hasProvisionalKeys = changeset.resolveProvisionalKeys()
      #expect(!hasProvisionalKeys)
    }
    // A key that would stop stock clients reaches nobody.
    guard case .badChangeset? = try upload([.createObject(CreateObject(object: leaf(1 << 30, 0)))], as: 4) else {
      Issue.record("it was taken")
      return
    }
    try expectEqual(network, device)
  }

  @Test("a copy for another server realm has none of the keys that name files of the old one")
  func copiedElsewhere() throws {
    let folder = try TemporaryFolder()
    var (old, new) = (try LeafNetwork(), try LeafNetwork())
    let (ann, bob) = (try LeafDevice(), try LeafDevice())
    try ann.makeRing(["a1", "a2"])
    try old.meet(ann)
    try bob.makeRing(["b1", "b2"])
    // Both are file 2 of their realms.
    try new.meet(bob)
    #expect(try ann.makers == bob.makers)
    let path = folder.url.appendingPathComponent("copy.realm").path
    try ann.realm.file.writeCopy(toPath: path, encryptionKey: nil, history: .begunAnew)
    let copy = try LeafDevice(LeafDevice.configuration(path: path))
    #expect(copy["a1"]?.linked == Array(repeating: "a2", count: 6))
    try copy.makeRing(["a3"])
    for device in [copy, bob] { try new.meet(device) }
    #expect(bob.names == ["a1", "a2", "a3", "b1", "b2"])
    #expect(bob["a1"]?.linked == Array(repeating: "a2", count: 6))
    #expect(bob["b1"]?.linked == Array(repeating: "b2", count: 6))
    try expectEqual(new, copy, bob)
  }

  @Test("a reset of a file that never had an ident keeps what it made as its own", arguments: [true, false])
  func reset(isIdentKnown: Bool) throws {
    var network = try LeafNetwork()
    let (ann, bob) = (try LeafDevice(), try LeafDevice())
    let mine = try ann.makeRing(["a1", "a2", "a3"])
    try ann.realm.write { ann.realm.delete(mine[2]) }
    try bob.makeRing(["b1", "b2", "b3"])
    try network.meet(bob)
    if isIdentKnown { try ann.history.storeFileIdent(try network.server.allocateClientFile(random: &network.random)) }
    let fresh = try LeafDevice()
    try fresh.history.storeFileIdent(try network.server.allocateClientFile(random: &network.random))
    try network.download(fresh)
    let outcome = try ann.history.reset(to: fresh.history, ClientReset(mode: .recover, serverForgot: true))
    #expect(outcome.lost.isEmpty)
    ann.realm.refresh()
    #expect(mine.map(\.isInvalidated) == [false, false, true])
    #expect(ann.names == ["a1", "a2", "b1", "b2", "b3"])
    for device in [ann, bob] { try network.meet(device) }
    #expect(bob.names == ["a1", "a2", "b1", "b2", "b3"])
    #expect(bob["a1"]?.linked == Array(repeating: "a2", count: 6) && bob["b3"]?.linked[0] == "b1")
    try expectEqual(network, ann, bob)
  }

  @Test("what the server's own process writes is its own")
  func serverWrites() throws {
    var network = try LeafNetwork()
    let device = try LeafDevice()
    try device.makeRing(["a1"])
    try network.meet(device)
    try network.server.file.edit { editor in
      let key = try editor.makeKey(for: "Leaf")
      try editor.create(ObjectReference(className: "Leaf", key: key))
    }
    try network.meet(device)
    #expect(try device.makers == [1, 2])
    try expectEqual(network, device)
  }
}
