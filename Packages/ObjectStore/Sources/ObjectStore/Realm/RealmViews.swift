import Foundation
import Synchronization

/// The live views of this process, held weakly: opening a realm twice on one thread gives one view.
final class RealmViews: Sendable {
  private struct Key: Hashable {
    let file: ObjectIdentifier
    let home: AnyHashable
  }
  private struct Entry: Sendable {
    weak let view: RealmView?
  }
  // AnyHashable is not Sendable; keys hold strings and object identifiers only.
  private struct Table: @unchecked Sendable {
    var views: [Key: Entry] = [:]
  }
  private let table = Mutex(Table())

  static let shared = RealmViews()

  func view(_ file: RealmFile, _ confinement: Confinement) -> RealmView? {
    let key = Key(file: ObjectIdentifier(file), home: confinement.identity)
    return table.withLock { $0.views[key]?.view }
  }

  func add(_ view: RealmView) {
    let key = Key(file: ObjectIdentifier(view.file), home: view.confinement.identity)
    table.withLock { table in
      table.views = table.views.filter { $0.value.view != nil }
      table.views[key] = Entry(view: view)
    }
  }
}
