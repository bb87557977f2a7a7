import ChangesetOT
import DataModel
import Foundation
@testable import ObjectServer
import ServerClusterTestSupport
import SyncProtocol
import Testing
import Transport

@Suite("an upload that contradicts the schema of the realm")
struct SchemaRefusalTests {
  private static func bytes(_ instructions: [Instruction]) -> [UInt8] {
    Changeset(
      instructions: instructions, origin: ChangesetOrigin(timestamp: OriginTimestamp(1), file: .none)
    ).encoded()
  }

  private static func declaration(_ type: PayloadType) -> [UInt8] {
    bytes([
      .addTable(AddTable(table: "Item", primaryKey: PrimaryKeyColumn(field: "id", type: .int))),
      .addColumn(AddColumn(table: "Item", field: "size", type: type)),
    ])
  }

  @Test(
    "is refused with 225 that names the field, whether its author knew the schema or not; others go on",
    arguments: [0, 1])
  func refused(base: UInt64) throws {
    let folder = NSTemporaryDirectory() + "openrealm-schemas-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let random = RandomSource(SystemRandomNumberGenerator())
    let stage = try Stage(histories: TestStorage.histories(.folder(folder), random: random, isDurable: false))
    let ann = try stage.user("ann")
    let (phone, _) = try stage.session(ann.token, "/~/todo")
    phone.upload(1, version: 2, bytes: Self.declaration(.int))
    stage.run()
    let (tablet, _) = try stage.session(ann.token, "/~/todo", from: "tablet")
    stage.run()
    _ = (phone.take(), tablet.take())
    tablet.upload(1, version: 2, base: base, bytes: Self.declaration(.string))
    stage.run()
    let error = try #require(tablet.take().compactMap(\.jsonError).first)
    #expect(error.code == .invalidSchemaChange)
    #expect(error.details.action == .applicationBug)
    #expect(error.details.message.contains("Item.size") || error.details.message.contains("declared differently"))
    #expect(tablet.closure == nil)
    phone.upload(
      1, version: 3, bytes: Self.bytes([.createObject(CreateObject(object: .init(className: "Item", key: .int(1))))]))
    stage.run()
    #expect(phone.take().compactMap(\.download).last?.progress.upload.client == ClientVersion(3))
  }
}
