import DataModel
import Foundation
import QueryLanguage

/// Evaluates a query for unmanaged objects: each is copied into a realm in memory, within a transaction that is
/// cancelled.
final class UnmanagedSearch {
  private let query: ParsedQuery
  private let type: ObjectBase.Type
  private var scratch: Realm?

  init(_ query: ParsedQuery, _ type: ObjectBase.Type) {
    (self.query, self.type) = (query, type)
    rule(!(type is EmbeddedObject.Type), "Unmanaged collections of embedded objects are not searched by a condition.")
  }

  /// Whether the query holds for an object. A live object is evaluated in its own realm.
  ///
  /// - Throws: ``Realm/Error`` when the realm in memory cannot be opened.
  func matches(_ object: ObjectBase) throws -> Bool {
    if let view = object.view { return try matches(object, in: view) }
    let view = try realm().view
    try view.beginWrite()
    defer { view.cancelWrite() }
    let copy = type.init()
    ObjectCopies.fill(copy, from: object)
    return try matches(view.add(copy, policy: .modified, copiesForeign: true), in: view)
  }

  private func matches(_ object: ObjectBase, in view: RealmView) throws -> Bool {
    let source = ResultsSource(view, .table(view.access(type)), stages: [.query(query)])
    guard let plan = try source.queryPlans().first else { return true }
    return try plan.matches(object.state.pointee.row.rawValue, in: source.querySource)
  }

  private func realm() throws -> Realm {
    if let scratch { return scratch }
    var types: [ObjectBase.Type] = [type]
    var next = 0
    while next < types.count {
      for linked in ClassBinding.of(types[next]).declaration.linkedTypes where !types.contains(where: { $0 == linked })
      {
        types.append(linked)
      }
      next += 1
    }
    let made = try Realm(
      configuration: Realm.Configuration(inMemoryIdentifier: UUID().uuidString, objectTypes: types))
    scratch = made
    return made
  }
}
