import StorageEngine
import RecordStore

/// The key of a live view. A confinement has at most two views of a file: a writable one and a read-only one.
private struct ViewKey: Hashable, Sendable {
  let file: ObjectIdentifier
  let confinement: Confinement.Identity
  let isReadOnly: Bool

  init(_ file: RealmFile, _ confinement: Confinement, isReadOnly: Bool) {
    self.file = ObjectIdentifier(file)
    self.confinement = confinement.identity
    self.isReadOnly = isReadOnly
  }
}

extension RealmView {
  private static let live = WeakRegistry<ViewKey, RealmView>()

  /// The live view of a file for a confinement; nil when there is none.
  static func ifOpen(_ file: RealmFile, _ confinement: Confinement, isReadOnly: Bool) -> RealmView? {
    live[ViewKey(file, confinement, isReadOnly: isReadOnly)]
  }

  /// Makes the view findable by ``ifOpen(_:_:isReadOnly:)``, without keeping it.
  func register() { Self.live.add(self, for: key) }

  /// Called by the deinitialiser.
  func unregister() { Self.live.remove(self, for: key) }

  private var key: ViewKey { ViewKey(file, confinement, isReadOnly: configuration.readOnly) }
}
