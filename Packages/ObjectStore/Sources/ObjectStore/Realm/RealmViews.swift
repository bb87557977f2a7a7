import StorageEngine

/// Names one live view: opening a realm twice on one thread gives one.
private struct ViewKey: Hashable, @unchecked Sendable {
  // @unchecked: AnyHashable is not Sendable; this one holds a string or an object identifier.
  let file: ObjectIdentifier
  let home: AnyHashable

  init(_ file: RealmFile, _ confinement: Confinement) {
    self.file = ObjectIdentifier(file)
    home = confinement.identity
  }
}

extension RealmView {
  private static let live = WeakRegistry<ViewKey, RealmView>()

  /// The live view of a file at some place, if somebody holds it.
  static func ifOpen(_ file: RealmFile, _ confinement: Confinement) -> RealmView? { live[ViewKey(file, confinement)] }

  /// Lets others at the same place find the view, as long as somebody holds it.
  func enlist() { Self.live.add(self, for: ViewKey(file, confinement)) }

  /// Called when nobody holds the view any more.
  func withdraw() { Self.live.remove(self, for: ViewKey(file, confinement)) }
}
