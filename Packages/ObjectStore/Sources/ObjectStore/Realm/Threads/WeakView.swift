/// A reference that does not keep a view.
final class WeakView: @unchecked Sendable {
  // @unchecked: a weak reference may be read from any thread; the view's initialiser sets this one, once.
  weak var view: RealmView?
}
