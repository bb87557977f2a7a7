import ChangesetOT

/// The part of a subscription set that a client's file is filled with.
struct ViewScope: Hashable, Sendable {
  /// The user whose roles bound it; nil when none do.
  var access: ViewAccess?
  /// The classes that select nothing: they came after the set was accepted, and its queries did not fit them. When the fields
  /// come that these name, the objects are sent, and the scope is another one.
  var unfit: Set<String> = []
}
