import DataModel
import Foundation
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("copies made within a write transaction")
struct CopyWithinWriteTests {
  @Test("they hold what the transaction has done so far, whatever becomes of it", arguments: [true, false])
  func uncommitted(isOnDisk: Bool) throws {
    let folder = try TemporaryFolder()
    let realm = try Realm(configuration: isOnDisk ? folder.configuration() : memoryConfiguration())
    try realm.write {
      for id in 1...3 {
        let person = realm.create(Person.self, value: ["id": id, "name": "\(id)", "tags": ["a", "b"]])
        person.home = Address(value: ["street": "Elm", "number": id])
        person.dogs.append(Dog(value: ["name": "of \(id)"]))
      }
    }
    let committed = try realm.file.dump()
    func copy(_ name: String) throws -> RealmFile {
      let url = folder.url.appendingPathComponent(name)
      try realm.writeCopy(toFile: url)
      return try RealmFile.open(.file(path: url.path), options: .init(createsIfMissing: false))
    }
    realm.beginWrite()
    #expect(try copy("nothing done").dump() == committed)
    let people = realm.objects(Person.self).sorted(by: \.id)
    people[0].tags.insert("between", at: 1)
    people[0].home?.number = 9
    people[1].friend = people[0]
    people[0].dogs.append(people[1].dogs[0])
    realm.delete(people[2])
    realm.create(Person.self, value: ["id": 4, "dogs": [["name": "new"]]])
    let during = try copy("during")
    try during.store.verify()
    #expect(try LinkBooks(during).complaint == nil)
    try realm.commitWrite()
    #expect(try during.dump() == realm.file.dump())
    #expect(try during.dump() != committed)
    realm.beginWrite()
    realm.deleteAll()
    #expect(try copy("emptied").dump().objects.values.allSatisfy(\.isEmpty))
    realm.cancelWrite()
    #expect(try during.dump() == realm.file.dump())
  }

  @Test(
    "what a replicated file has not committed, its copy has to send; a copy that is to go on with a server is refused")
  func replicated() throws {
    let folder = try TemporaryFolder()
    var network = try LeafNetwork()
    let device = try LeafDevice()
    try device.makeRing(["a1", "a2"])
    let path = folder.url.appendingPathComponent("copy.realm").path
    device.realm.beginWrite()
    let leaf = Leaf()
    leaf.name = "a3"
    device.realm.add(leaf)
    try device.realm.writeCopy(toFile: URL(fileURLWithPath: path))
    device.realm.cancelWrite()
    let copy = try LeafDevice(LeafDevice.configuration(path: path))
    for device in [device, copy, device] { try network.meet(device) }
    #expect(device.names == ["a1", "a1", "a2", "a2", "a3"])
    #expect(copy.names == device.names)
    #expect(try network.server.file.dump() == device.realm.file.dump())
    #expect(try network.server.file.dump() == copy.realm.file.dump())
    let first = device["a1"]
    device.realm.beginWrite()
    defer { device.realm.cancelWrite() }
    first?.count += 1
    let next = folder.url.appendingPathComponent("next.realm").path
    #expect(throws: Realm.Error(.fail)) {
      try device.realm.file.writeCopy(
        toPath: next, encryptionKey: nil, history: .continued, running: device.realm.view.session)
    }
  }
}
