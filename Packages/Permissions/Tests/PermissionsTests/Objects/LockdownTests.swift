import Permissions
import Testing

/// The documented apps, locked down as their tutorials do it: by an ordinary user, who then may not any more.
@Suite("Realms that are locked down")
struct LockdownTests {
  static let ann = RoleName.privateRole(of: "ann")
  static let ben = RoleName.privateRole(of: "ben")

  /// Projects and items: the to-do apps of iOS and React Native.
  func todo() -> Scene {
    var scene = Scene(classes: ["Project", "Item"], users: ["ann", "ben"])
    #expect(scene.change("Project", by: "ann") { $0.remove(.setPermissions) }.isAllowed)
    #expect(scene.change("Item", by: "ann") { $0.subtract([.query, .setPermissions]) }.isAllowed)
    #expect(scene.change("__Role", by: "ann") { $0.subtract([.update, .create, .setPermissions]) }.isAllowed)
    #expect(scene.change("__User", by: "ann") { $0.subtract([.update, .create, .delete]) }.isAllowed)
    #expect(scene.changeRealm(by: "ann") { $0.remove(.modifySchema) }.isAllowed)
    #expect(scene.changeRealm(by: "ann") { $0.remove(.setPermissions) }.isAllowed)
    return scene
  }

  @Test("a locked to-do realm gives projects to their creators and items only by links")
  func todoRealm() {
    let scene = todo()
    let project = ObjectFacts("Project", list: [PermissionEntry(Self.ann, [.read, .update, .delete])])
    for user: UserId in ["ann", "ben"] {
      #expect(scene.allows(user, .create(inClass: "Project")))
      #expect(scene.allows(user, .create(inClass: "Item")))
      #expect(scene.allows(user, .subscribe(toClass: "Project")))
      #expect(scene.decide(user, .subscribe(toClass: "Item")).scope == .class("Item"))
      #expect(scene.allows(user, .update(ObjectFacts("Item"))))
      #expect(scene.decide(user, .changeMembers(of: Self.ann)).rule == .permissionClass)
      #expect(scene.decide(user, .create(inClass: "__Role")).scope == .class("__Role"))
      #expect(scene.decide(user, .changeClassList(of: "Project", to: .open)).level == .realm)
      #expect(scene.decide(user, .changeRealmList(to: .open)).level == .realm)
      #expect(scene.decide(user, .addClass("Note")).level == .realm)
      #expect(scene.decide(user, .addProperty(toClass: "Item")).level == .realm)
    }
    for action in [ObjectAction.read(project), .update(project), .delete(project)] {
      #expect(scene.allows("ann", action))
      #expect(scene.decide("ben", action).level == .object)
    }
    // Without `setPermissions` of her own, the creator shares the project only in the transaction that makes it.
    let shared: AccessList = [PermissionEntry(Self.ann, [.read, .update, .delete]), PermissionEntry(Self.ben, .read)]
    #expect(scene.allows("ann", .changeList(of: ObjectFacts("Project", list: .empty, isNew: true), to: shared)))
    #expect(scene.decide("ann", .changeList(of: project, to: shared)).missing == .setPermissions)
  }

  @Test("permissions of the realm go last, because without them no other list changes")
  func orderMatters() {
    var scene = Scene(classes: ["Project"], users: ["ann"])
    #expect(scene.changeRealm(by: "ann") { $0.remove(.setPermissions) }.isAllowed)
    #expect(scene.changeRealm(by: "ann") { $0.remove(.modifySchema) }.level == .realm)
    #expect(scene.change("Project", by: "ann") { $0.remove(.query) }.level == .realm)
    #expect(scene.change("Project", by: "root") { $0.remove(.query) }.isAllowed)
  }

  @Test("a member of everyone cannot undo the lock, alone or through a role of their own")
  func noWayBack() {
    let scene = todo()
    let mine = PermissionEntry(Self.ben, .all)
    for use in [PermissionUse.realm, .class("Project"), .class("__Role"), .class("__Class")] {
      #expect(!scene.allows("ben", .changePermission(to: mine, isNew: true, usedIn: [use])))
      #expect(!scene.allows("ben", .deletePermission(usedIn: [use])))
    }
    #expect(scene.allows("ben", .create(inClass: "__Permission")))
    #expect(scene.allows("ben", .changePermission(to: mine, isNew: true, usedIn: [])))
  }

  @Test("in a locked realm nobody makes, changes or deletes users", arguments: [false, true])
  func users(isChat: Bool) {
    let scene = isChat ? chat() : todo()
    let user = ObjectFacts("__User")
    for action in [ObjectAction.create(inClass: "__User"), .update(user), .delete(user)] {
      #expect(scene.decide("ben", action).scope == .class("__User"))
    }
    #expect(scene.allows("ben", .read(user)))
  }

  /// Public and private rooms: the chat app of Android.
  func chat() -> Scene {
    var scene = Scene(classes: ["PublicChatRoom", "PrivateChatRoom", "Message"], users: ["ann", "ben", "cleo"])
    #expect(scene.change("Message", by: "ann") { $0.subtract([.query, .setPermissions]) }.isAllowed)
    for name in ["PublicChatRoom", "PrivateChatRoom"] {
      #expect(scene.change(name, by: "ann") { $0.remove(.setPermissions) }.isAllowed)
    }
    #expect(scene.change("__Role", by: "ann") { $0.subtract([.create, .update]) }.isAllowed)
    #expect(scene.change("__User", by: "ann") { $0.subtract([.update, .create, .delete]) }.isAllowed)
    #expect(scene.changeRealm(by: "ann") { $0.remove(.modifySchema) }.isAllowed)
    #expect(scene.changeRealm(by: "ann") { $0.remove(.setPermissions) }.isAllowed)
    return scene
  }

  @Test("in a locked chat realm the creator of a room goes on granting, and nobody else does")
  func chatRealm() {
    let scene = chat()
    let readOnly: Privileges = [.read, .query]
    let writing: Privileges = [.read, .query, .create, .update, .delete]
    let room = ObjectFacts(
      "PrivateChatRoom", list: [PermissionEntry(Self.ann, .all), PermissionEntry(Self.ben, readOnly)])
    let edited = ObjectAction.changePermission(to: PermissionEntry(Self.ben, writing), usedIn: [.object(room)])

    #expect(scene.allows("ben", .read(room)))
    #expect(scene.decide("ben", .update(room)).missing == .update)
    #expect(scene.decide("ben", edited).missing == .setPermissions)
    #expect(scene.decide("cleo", .read(room)).level == .object)

    #expect(scene.allows("ann", edited))
    let table = scene.table
    let preview = scene.permissions(of: "ann").preview(ofObjectWith: room.list, inClass: "PrivateChatRoom", of: table)
    #expect(preview.contains(.setPermissions))
    let after = room.with([PermissionEntry(Self.ann, .all), PermissionEntry(Self.ben, writing)])
    #expect(scene.allows("ben", .update(after)))
    #expect(scene.decide("ben", .changeList(of: after, to: .open)).missing == .setPermissions)

    #expect(scene.allows("cleo", .update(ObjectFacts("PublicChatRoom"))))
    #expect(!scene.allows("cleo", .subscribe(toClass: "Message")))
  }
}
