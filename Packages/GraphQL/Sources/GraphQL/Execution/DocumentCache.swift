import Synchronization

/// A document that keeps every rule of a schema.
final class ValidDocument: Sendable {
  let document: GraphQLDocument
  let fragments: [String: FragmentDefinition]
  private let operations: [OperationDefinition]

  init(_ document: GraphQLDocument) {
    self.document = document
    operations = document.operations
    fragments = Dictionary(document.fragments.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The operation of a name, or the only one.
  func operation(named name: String?) throws(GraphQLRequestError) -> OperationDefinition {
    guard let name else {
      guard let only = operations.first else { throw GraphQLRequestError("The document has no operation.") }
      guard operations.count == 1 else {
        throw GraphQLRequestError("The document has \(operations.count) operations; name the one to run.")
      }
      return only
    }
    guard let operation = operations.first(where: { $0.name?.text == name }) else {
      throw GraphQLRequestError("The document has no operation \"\(name)\".")
    }
    return operation
  }
}

/// The valid documents that were asked for lately, by their texts. Refused documents are not kept.
///
/// Two generations: a full younger one becomes the older, and what is asked for again moves up. So the documents in use
/// stay, and lookup is O(length of the text).
final class DocumentCache: Sendable {
  private struct State {
    var young: [String: ValidDocument] = [:]
    var old: [String: ValidDocument] = [:]
  }

  private let state = Mutex(State())
  private let generation: Int

  init(capacity: Int) { generation = max(capacity / 2, 1) }

  subscript(text: String) -> ValidDocument? {
    get {
      state.withLock { state in
        if let document = state.young[text] { return document }
        guard let document = state.old.removeValue(forKey: text) else { return nil }
        insert(document, text, into: &state)
        return document
      }
    }
    set {
      guard let newValue else { return }
      state.withLock { insert(newValue, text, into: &$0) }
    }
  }

  private func insert(_ document: ValidDocument, _ text: String, into state: inout State) {
    if state.young.count >= generation {
      state.old = state.young
      state.young = [:]
    }
    state.young[text] = document
  }

  /// The number of documents that are kept.
  var count: Int { state.withLock { $0.young.count + $0.old.count } }
}
