import ChangesetOT
import DataModel
import Permissions
import Testing

@testable import ObjectStore
@testable import RecordStore

@Suite("the revision of a realm's permissions")
struct PermissionRevisionTests {
  private typealias Chat = ChatScene

  @Test("it is another one after changes of facts, and the same after those of objects and their lists")
  func revision() throws {
    var chat = try Chat()
    let server = chat.network.server
    func revision() throws -> UInt64 {
      for number in [chat.ann, chat.ben] { try chat.network.downloadAll(number) }
      return try #require(server.permissionRevision)
    }
    var last = try revision()
    #expect(try revision() == last)
    try chat.write(chat.ann, Chat.room(1, [("everyone", .all)]))
    #expect(try revision() == last)
    for edit in [
      PermissionTableChange.addMember("ben", to: "keepers"), .removeMember("ben", from: "keepers"), .addUser("dora"),
      .setClassList("Room", .empty), .setRealmList([PermissionEntry(.everyone, .all)]),
    ] {
      try chat.network.file.edit { try $0.apply([edit]) }
      let next = try revision()
      #expect((next == last) == (edit == .setRealmList(.open)), "\(edit)")
      last = next
    }
  }

  @Test("queries in a transaction follow the roles of their user, and know nothing of others")
  func queries() throws {
    var chat = try Chat()
    try chat.write(chat.full, Chat.room(1, [("keepers", .all)]))
    let queries = ViewQueries(
      QuerySet(version: QueryVersion(1), json: #"{"Room":"TRUEPREDICATE"}"#),
      ViewAccess(user: "ben", followsLinks: true),
      HolderBudget(1_000))
    var state = try PermissionState(in: chat.network.file.latestReadView())
    func selects() throws -> Bool {
      try queries.selects(
        Chat.room(1), PresentState(readView: try chat.network.file.latestReadView(), permissions: state))
    }
    #expect(try !selects())
    let keepers = Chat.role("keepers")
    let edits: [([Instruction], Bool)] = [
      ([Chat.create(keepers), Chat.append(Chat.user("ben"), to: keepers, "members", of: 0)], true),
      ([Chat.append(Chat.user("cy"), to: keepers, "members", of: 1)], true), ([Chat.erase(keepers)], false),
    ]
    for (edit, isSelected) in edits {
      try chat.network.file.commit(edit, at: OriginTimestamp(1))
      var touches = PermissionTouches()
      for instruction in edit { touches.add(instruction) }
      try state.update(after: touches, in: try chat.network.file.latestReadView())
      #expect(try selects() == isSelected, "\(edit)")
    }
    let present = PresentState(readView: try chat.network.file.latestReadView(), permissions: state)
    let own = try #require(present.permissions(of: ViewAccess(user: "ben")))
    #expect(own.table.users == ["ben"])
    #expect(own.table.members(of: .everyone) == ["ben"])
    #expect(state.table.members(of: .everyone) == ["ann", "ben", "cy"])
  }
}
