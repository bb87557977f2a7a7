import ChangesetOT

/// The content of an author's file as it was found at the bases of one batch, so that a batch with many bases costs no more than
/// one with few.
struct KnownBases {
  /// Bases of a batch at which roles, or a view, are evaluated anew.
  static let mostEvaluations = 16

  private var evaluations = 0
  private var last: (stage: ViewStages.Stage, classes: Set<String>, version: ServerVersion, content: ViewContent)?

  /// Counts an evaluation.
  ///
  /// - Returns: whether there may be another one.
  mutating func mayEvaluate() -> Bool {
    if evaluations >= Self.mostEvaluations { return false }
    evaluations += 1
    return true
  }

  /// Keeps the content of the classes that depend on others.
  mutating func keep(
    _ content: ViewContent, of stage: ViewStages.Stage, _ queries: RealmQueries, at version: ServerVersion
  ) {
    last = (stage, queries.dependent, version, content)
  }

  /// The content at a version, when it is the one at an earlier base: nothing was touched between them on which it depends.
  ///
  /// - Complexity: O(*n*) in the inverses of the versions between them.
  mutating func content(
    of stage: ViewStages.Stage, _ queries: RealmQueries, at version: ServerVersion, _ past: UploadPast,
    _ catalog: Catalog
  ) -> ViewContent? {
    guard let last, last.stage == stage, last.classes == queries.dependent, last.version <= version,
      !past.touchesPermissions(after: last.version, through: version)
    else { return nil }
    let sources = ContentSources(queries, catalog)
    let isTouched = past.inverses(after: last.version, through: version).contains { inverse in
      inverse.parts.contains { sources.mayChange(last.content, by: $0) }
    }
    if isTouched { return nil }
    self.last?.version = version
    return last.content
  }
}
