/// The view that ``RealmView/thawed()`` gives while a handover is resolved.
enum ThawTarget {
  @TaskLocal private static var target: WeakView?

  static var view: RealmView? { target?.view }

  /// Runs `body`, in which frozen values of the view's file thaw in that view.
  static func with<R>(_ view: RealmView, _ body: () -> R) -> R {
    $target.withValue(view.weakReference) { body() }
  }
}
