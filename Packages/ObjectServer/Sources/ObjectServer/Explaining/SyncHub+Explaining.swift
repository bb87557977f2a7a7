import Concurrency
import Permissions

extension SyncHub {
  typealias ExplanationCompletion = @Sendable (Result<SyncExplanation, any Error>) -> Void

  /// Explains an object of a realm that exists, also while clients write to it. On the loop.
  ///
  /// - Parameter payer: the user who is charged with the work.
  func explain(_ question: RealmQuestion, by payer: UserId, then completion: @escaping ExplanationCompletion) {
    guard !isStopping, !locked.contains(question.path) else {
      return completion(
        .failure(
          ServerError(.realmConflict, "the realm is being moved or deleted", remedy: "ask again in a moment")))
    }
    let realm = sequencer(question.path, isNew: false)
    realm.explain(question.question, by: payer) { [weak self] result in
      completion(result)
      self?.left(realm)
    }
  }
}
