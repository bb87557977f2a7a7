import ChangesetOT
import DataModel
import TestKit
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("asymmetric classes within queries")
struct ViewAsymmetricTests {
  private static func reading(_ key: Int64) -> ObjectReference { ObjectReference(className: "Reading", key: .int(key)) }

  private static func set(_ key: Int64, _ degrees: Int64) -> Instruction {
    .update(Update(target: Target(object: reading(key), field: "degrees"), payload: .int(degrees)))
  }

  private static func create(_ key: Int64, _ degrees: Int64) -> [Instruction] {
    [.createObject(CreateObject(object: reading(key))), set(key, degrees)]
  }

  private static let schema: [Instruction] = [
    .addTable(
      AddTable(table: "Reading", kind: .asymmetric, primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Reading", field: "degrees", type: .int)),
    .addTable(AddTable(table: "Dog", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
    .addColumn(AddColumn(table: "Dog", field: "age", type: .int)),
  ]

  /// Two clients with queries that select nothing of the class.
  private static func network() throws -> ViewNetwork {
    var network = try ViewNetwork(schema)
    for _ in 0..<2 { try network.downloadAll(try network.add(queries: #"{"Dog":"TRUEPREDICATE"}"#)) }
    return network
  }

  private func degrees(_ network: ViewNetwork, _ key: Int64) throws -> StateDump.Item? {
    try network.server.file.dump().objects["Reading"]?[.int(key)]?["degrees"]
  }

  @Test("what one client creates is on the server, and no other client is sent it")
  func sending() throws {
    var network = try Self.network()
    var sent = 0
    network.watch = { client, entries in
      for entry in entries {
        let changeset = try Changeset(decoding: entry.changeset, origin: .init(timestamp: .init(0), file: .server))
        sent += changeset.instructions.count { $0.object?.className == "Reading" }
      }
    }
    for key in Int64(1)...5 { try network.write(0, Self.create(key, key * 10)) }
    try network.settle()
    #expect(try degrees(network, 5) == .value(.int(50)))
    #expect(try network.keys(1, "Reading").isEmpty)
    #expect(sent == 0)
    #expect(network.clients[0].refusals.isEmpty)
  }

  @Test("an object that is there is created once, by whoever was first")
  func again() throws {
    var network = try Self.network()
    try network.write(0, Self.create(1, 10))
    try network.upload(0)
    try network.write(1, Self.create(1, 99))
    try network.upload(1)
    #expect(try degrees(network, 1) == .value(.int(10)))
    #expect(network.clients[1].refusals.isEmpty)
    try network.settle()
  }

  @Test("an object that is there is neither changed nor erased nor shown by an upload, and the refusal is told")
  func writing() throws {
    for write in [Self.set(1, 99), .eraseObject(EraseObject(object: Self.reading(1)))] {
      var network = try Self.network()
      try network.write(0, Self.create(1, 10))
      try network.upload(0)
      // The file of the writer has an object of that key, so that it can write to it.
      try network.clients[1].history.file.write(isRecorded: false) { session in
        let layout = try #require(session.writer.catalog["Reading"])
        _ = try session.writer.create(.int(1), layout)
      }
      try network.write(1, [write])
      try network.upload(1)
      #expect(try degrees(network, 1) == .value(.int(10)))
      #expect(network.clients[1].refusals.map(\.object) == [Self.reading(1)])
      #expect(network.clients[1].refusals.first?.reason.contains("only created") == true)
      try network.settle()
      #expect(try network.dump(1).objects["Reading"]?[.int(1)]?["degrees"] != .value(.int(10)))
      #expect(try degrees(network, 1) == .value(.int(10)))
    }
  }
}
