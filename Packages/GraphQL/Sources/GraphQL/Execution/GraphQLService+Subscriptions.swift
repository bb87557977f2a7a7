/// The source of the events of subscriptions.
public protocol SubscriptionRoot: Sendable {
  /// The events of the one root field of a subscription. Each event is a root object of its own, and makes one
  /// response.
  ///
  /// - Throws: any error; it becomes the error of the only response.
  func events(of field: FieldCall) async throws -> AsyncThrowingStream<any ObjectBatch, any Error>
}

/// The answer to a request for a subscription.
public enum SubscriptionAnswer: Sendable {
  /// One response per event.
  case responses(AsyncThrowingStream<GraphQLResponse, any Error>)
  /// The subscription was refused.
  case refused(GraphQLResponse)
}

extension GraphQLService {
  /// Starts a subscription. The stream of responses ends when that of events ends; ending it ends the events.
  ///
  /// - Parameters:
  ///   - request: the request; one for another kind of operation is refused.
  ///   - root: the source of events.
  ///   - budget: asked while a response is made.
  public func subscribe(
    _ request: GraphQLRequest, root: any SubscriptionRoot, budget: ExecutionBudget = .unlimited
  ) async -> SubscriptionAnswer {
    let operation: PreparedOperation
    do { operation = try prepare(request) } catch { return .refused(GraphQLResponse(refused: error.errors)) }
    guard operation.kind == .subscription, let field = operation.fields.first else {
      return .refused(GraphQLResponse(refused: [GraphQLError("Expected a subscription.", code: "BAD_REQUEST")]))
    }
    if let error = field.argumentError { return .refused(GraphQLResponse(refused: [error])) }
    do {
      let events = try await root.events(of: field)
      return .responses(operation.responses(to: events, budget: budget))
    } catch {
      var listed = (error as? GraphQLError) ?? GraphQLError("\(error)")
      listed.path = [.key(field.responseKey)] + listed.path
      if listed.locations.isEmpty { listed.locations = field.locations }
      return .refused(GraphQLResponse(refused: [listed]))
    }
  }
}

extension PreparedOperation {
  /// One response per event, in their order.
  public func responses(
    to events: AsyncThrowingStream<any ObjectBatch, any Error>, budget: ExecutionBudget = .unlimited
  ) -> AsyncThrowingStream<GraphQLResponse, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          for try await event in events {
            continuation.yield(await self.execute(event, budget: budget))
          }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

extension ObjectBatch where Self == SingleObject {
  /// One object that answers field by field, as a batch.
  public static func object(_ object: any GraphQLObject) -> SingleObject { SingleObject(object) }
}

/// One object that answers field by field, as a batch.
public struct SingleObject: ObjectBatch {
  private let run: ObjectRun

  init(_ object: any GraphQLObject) { run = ObjectRun(objects: [object]) }

  /// 1.
  public var count: Int { 1 }

  /// The type of the object.
  public var types: BatchTypes { run.types }

  /// The field of the object.
  public func resolve(_ field: FieldCall) -> FieldColumn { run.resolve(field) }
}
