/// The view that frozen things are thawed in while a reference is resolved in it.
enum ThawTarget {
  @TaskLocal private static var target: WeakView?

  static var view: RealmView? { target?.view }

  /// Runs `body`, in which frozen things of the view's file become live in that view.
  static func with<R>(_ view: RealmView, _ body: () -> R) -> R {
    $target.withValue(view.weakly) { body() }
  }
}
