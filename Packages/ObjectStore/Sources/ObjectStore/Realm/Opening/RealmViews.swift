import StorageEngine

/// Names one live view: opening a realm twice on one thread gives one; to be read only, and to be written, one each.
private struct ViewKey: Hashable, Sendable {
  let file: ObjectIdentifier
  let home: Confinement.Identity
  let isReadOnly: Bool

  init(_ file: RealmFile, _ confinement: Confinement, isReadOnly: Bool) {
    self.file = ObjectIdentifier(file)
    home = confinement.identity
    self.isReadOnly = isReadOnly
  }
}

extension RealmView {
  private static let live = WeakRegistry<ViewKey, RealmView>()

  /// The live view of a file at some place, if somebody holds it.
  static func ifOpen(_ file: RealmFile, _ confinement: Confinement, isReadOnly: Bool) -> RealmView? {
    live[ViewKey(file, confinement, isReadOnly: isReadOnly)]
  }

  /// Lets others at the same place find the view, as long as somebody holds it.
  func enlist() { Self.live.add(self, for: key) }

  /// Called when nobody holds the view any more.
  func withdraw() { Self.live.remove(self, for: key) }

  private var key: ViewKey { ViewKey(file, confinement, isReadOnly: configuration.readOnly) }
}
