import CommandLineKit
import Foundation
import RecordStore
import SyncClient

extension RealmTool {
  static let browse = Command(
    "browse", summary: "Look at the objects of a realm on the screen, follow links, query and edit.",
    discussion: """
      A file, or a realm of a server, which is downloaded and kept in step while it is on the screen: what others write is \
      seen at once. '?' shows the keys.

        realm browse pets.realm
        realm browse realm://localhost:9080/~/todo --user ann
      """,
    options: ServerOptions.all + [.flag("read-only", help: "Change nothing.")],
    arguments: [.one("realm", kind: .nonEmptyText, help: "A realm file, or the URL of a realm.")],
    asyncAction: { invocation, console in
      let name = invocation.argument("realm") ?? ""
      switch try RealmPlace(name) {
      case .file(let path):
        let isReadOnly = invocation.flag("read-only") || !FileManager.default.isWritableFile(atPath: path)
        let file = try open(path, invocation, writable: !isReadOnly)
        try await BrowserOwner(file: file, session: nil).run(title: name, isReadOnly: isReadOnly)
      case .server(let location):
        let (_, folder) = try ServerOptions.manager(invocation, for: location)
        let user = try await ServerLogin.user(invocation, at: location, console)
        let path = try folder.realmFile(
          [location.address.authority, user.identity ?? "", location.address.target]).path
        let isFirst = !FileManager.default.fileExists(atPath: path)
        let realm = try ServerRealm(location, for: user, at: path)
        defer { realm.close() }
        if isFirst {
          try await Interruption.watching {
            try await ProgressLine.following(console, unit: "kB") { try await realm.download($0) }
          }
        }
        try await BrowserOwner(file: realm.file, session: realm.session).run(
          title: location.text, isReadOnly: invocation.flag("read-only"))
      }
    })
}
