import ChangesetOT
import DataModel

/// The part of a subscription set that a client's file is filled with.
struct ViewScope: Hashable, Sendable {
  /// The user whose roles bound it; nil when none do.
  var access: ViewAccess?
  /// The classes that select nothing: they came after the set was accepted, and its queries did not fit them. When the fields
  /// come that these name, the objects are sent, and the scope is another one.
  var unfit: Set<String> = []
  /// The access lists of objects that there were, by ``lists(in:)``: an object of a class that gets its first one is nobody's until its list
  /// has entries. Nil when it is not known, as in files of former releases.
  var lists: Set<String>?

  /// The access lists of a realm's classes.
  ///
  /// - Complexity: O(*n*) in the classes and their fields.
  static func lists(in catalog: Catalog) -> Set<String> {
    Set(catalog.classes.flatMap { layout in layout.accessLists.map { name(of: $0, layout) } })
  }

  /// The name of an access list among those of all classes.
  static func name(of list: FieldLayout, _ layout: ClassLayout) -> String { layout.name + "." + list.name }
}
