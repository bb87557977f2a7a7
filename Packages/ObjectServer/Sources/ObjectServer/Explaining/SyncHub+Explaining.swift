import Concurrency
import Permissions

extension SyncHub {
  typealias ExplanationCompletion = @Sendable (Result<SyncExplanation, any Error>) -> Void

  /// Explains an object of a realm that exists, also while clients write to it. On the loop. A user has one question at a time:
  /// it takes its turn among the realm's jobs.
  ///
  /// - Parameter payer: the user who is charged with the work.
  func explain(_ question: RealmQuestion, by payer: UserId, then completion: @escaping ExplanationCompletion) {
    guard !isStopping, !locked.contains(question.path) else {
      return completion(
        .failure(
          ServerError(.realmConflict, "the realm is being moved or deleted", remedy: "ask again in a moment")))
    }
    if let error = elsewhere(question.path) { return completion(.failure(error)) }
    guard explaining.insert(payer).inserted else {
      return completion(.failure(APIError(429, .tooManyAttempts, "one question at a time: wait for the answer")))
    }
    let realm = sequencer(question.path, isNew: false)
    realm.explain(question.question, by: payer) { [weak self] result in
      self?.explaining.remove(payer)
      completion(result)
      self?.left(realm)
    }
  }
}
