import ObjectStore

/// Proof of one transaction, with one mark: a lost transaction has no receipt, one applied twice has two marks.
final class Receipt: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var marks: List<String>
}

/// The object that the app edits: a text, a counter, a list of texts, and links.
final class Note: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var title: String
  @Persisted var count: Int
  @Persisted var due: Double?
  @Persisted var tags: List<String>
  @Persisted var parent: Note?
  @Persisted var children: List<Note>
}
