/// A reference that does not keep a view.
final class WeakView: @unchecked Sendable {
  // @unchecked: weak references may be read from any thread; this one is set once, by the view's initialiser.
  weak var view: RealmView?
}
