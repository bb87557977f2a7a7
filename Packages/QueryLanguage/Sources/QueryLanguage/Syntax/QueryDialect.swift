/// Which spelling of the language a text uses. All dialects give the same tree.
///
/// A plan made for ``nspredicate`` also compares as predicates do: 0 and 1 are Booleans where they meet one, and every
/// string is greater than nil.
public enum QueryDialect: String, Hashable, Sendable, CaseIterable {
  /// Realm's query language as JavaScript clients, Studio and GraphQL write it.
  case realm
  /// The same with every word operator in any letter case (`Not`, `In`, `True`), as query-based sync clients of the
  /// 5.x era send it.
  case legacySync
  /// Predicate format strings of Objective-C and RealmSwift, with `%@` and `%K`.
  case nspredicate
}
