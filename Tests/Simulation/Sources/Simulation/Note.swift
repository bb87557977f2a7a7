import ObjectStore

/// Made once by each transaction, with one mark: what is lost is missing, and what is applied twice has two.
final class Receipt: Object {
  @Persisted(primaryKey: true) var _id: String
  @Persisted var marks: List<String>
}

/// What the simulated people write: an object with a text, a counter, a list of texts and links.
final class Note: Object {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var title: String
  @Persisted var count: Int
  @Persisted var due: Double?
  @Persisted var tags: List<String>
  @Persisted var parent: Note?
  @Persisted var children: List<Note>
}
