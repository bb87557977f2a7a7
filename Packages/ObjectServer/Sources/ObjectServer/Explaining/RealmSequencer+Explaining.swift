import Concurrency
import Permissions
import struct RecordStore.ViewQuestion

extension RealmSequencer {
  /// Explains an object in the realm's queue, between its jobs; opens the files when they are closed.
  ///
  /// - Parameter payer: the user who is charged with the work.
  func explain(
    _ question: ViewQuestion, by payer: UserId,
    then completion: @escaping @Sendable (Result<SyncExplanation, any Error>) -> Void
  ) {
    let attributes = JobAttributes(queue, payers: [payer.rawValue], bytes: 0)
    switch stage {
    case .open(let store):
      // A closing of the files would come behind it in the same queue.
      context.perform(attributes) {
        guard let explanation = try store.explain(question) else {
          throw ServerError(.realmFailure, "this store explains nothing", remedy: "use a store that knows queries")
        }
        return explanation
      } then: { result in
        completion(result)
      }
    case .closed:
      // A job may be opening them.
      afterWork { [self] in
        if isOpen { return explain(question, by: payer, then: completion) }
        openFiles(attributes) { [self] error in
          if let error { return completion(.failure(error)) }
          explain(question, by: payer, then: completion)
        }
      }
    }
  }
}
