import DataModel
import QueryLanguage

@testable import RecordStore

/// Queries over the classes of ``PastWorld``, by class.
enum PastQueryTexts {
  static let all: [(className: String, text: String)] =
    items.map { ("Item", $0) } + dogs.map { ("Dog", $0) } + notes.map { ("Note", $0) }

  private static let items = [
    "TRUEPREDICATE", "n > 5", "n < 2003", "n == 4", "n IN {1, 2, 3, 4}", "o == nil", "s BEGINSWITH 't2'", "s == ''",
    "_id > 2", "_id == 3", "d >= 2", "NOT n < 5 AND o != nil", "ref == nil", "ref != nil", "ref.n > 4",
    "ref.ref.n > 3", "ref == obj('Item', 2)", "dog == nil", "dog.age > 4", "dog.owner.n > 3", "dog.owner == nil",
    "ANY refs.n > 4", "ALL refs.n > 4", "NONE refs.n > 4", "refs.@count > 2", "refs[0].n > 3", "refs.@sum.n > 4000",
    "refs.@max.n > 2001", "refs.@avg.d > 1", "refs == obj('Item', 3)", "rset.@count == 1", "ANY rset.n > 3",
    "ANY rset.dog.age > 3", "SUBQUERY(refs, $x, $x.n > 2 AND $x.dog != nil).@count > 1",
    "SUBQUERY(rset, $x, $x.ref.n > 2).@count > 0", "sub == nil", "sub.x > 2000", "sub.who.n > 3", "sub.who == nil",
    "ANY subs.x > 2000", "ANY subs.who.n > 3", "subs.@count > 1", "subs.more.@count > 0", "ANY subs.more.x >= 0",
    "subd['base'].x >= 0", "ANY subd.x >= 0", "subd.@count > 1", "ANY subs.l > 0", "ANY tags == 'a'", "tags.@count > 3",
    "tags[0] == 'a'", "ANY nums == 2", "nums.@sum > 3", "props['a'] == 1", "props.@count > 1", "ANY props.@keys == 'b'",
    "names['k1'] == 'd2'", "ANY names == 'd3'", "dict['a'].age > 3", "dict['b'] == nil", "ANY dict.age > 5",
    "dict.@count > 1", "m == nil", "m > 2", "m.@type == 'link'", "m[0] == 7", "things[0].@type == 'link'",
    "things.@count > 1", "@links.@count > 3", "@links.@count == 0", "@links.Item.ref.@count > 0",
    "@links.Item.refs.n > 4",
    "ANY @links.Dog.owner.age > 3", "@links.Item.refs.@count > 2", "@links.Item.rset.@sum.n > 2",
    "@links.Sub.who.@count > 0", "@links.Sub.who.x > 0", "SORT(n DESC) LIMIT(3)", "n > 1 SORT(ref.n ASC) LIMIT(2)",
    "TRUEPREDICATE DISTINCT(n)", "SORT(dog.age ASC, n DESC) DISTINCT(ref) LIMIT(4)", "TRUEPREDICATE LIMIT(2)",
    "refs.@count > 0 DISTINCT(dog.age, s)",
  ].map { $0.hasPrefix("SORT") ? "TRUEPREDICATE " + $0 : $0 }

  private static let dogs = [
    "age == 3", "age > 6", "age BETWEEN {2, 4}", "name == nil", "name == 'd2'", "name BEGINSWITH 'd'", "id == 2",
    "id > 998", "id IN {1, 2, 1003}", "owner == nil", "owner.n > 3", "ANY owner.tags == 'a'", "owner.sub.x > 0",
    "ANY owner.subs.who.n > 0", "ANY friends.age > 4", "ALL friends.age > 4", "friends.@count > 0",
    "friends.@sum.age > 5", "friends.owner.n > 2", "@links.@count > 1", "@links.Item.dog.@count > 0",
    "@links.Item.dict.n > 2", "@links.Dog.friends.@count > 0", "SUBQUERY(friends, $f, $f.owner.n > 2).@count > 0",
    "age > 2 SORT(age ASC) LIMIT(3)", "TRUEPREDICATE DISTINCT(age)", "owner != nil SORT(owner.n DESC) LIMIT(2)",
  ]

  private static let notes = ["text == 't1'", "about == nil", "about.@type == 'link'", "@links.@count > 0"]

  /// The queries, planned for the classes of a file.
  ///
  /// - Parameter refuse: is told of those that cannot be.
  static func plans(
    _ schema: QuerySchema, _ refuse: (String) -> Void
  ) -> [(text: String, query: KeyOrderedQuery)] {
    all.compactMap { className, text in
      do {
        let parsed = try ParsedQuery(parsing: text)
        return ("\(className): \(text)", try KeyOrderedQuery(parsed, className: className, schema: schema))
      } catch {
        refuse("\(text): \(error)")
        return nil
      }
    }
  }
}
