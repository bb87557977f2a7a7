public import DataModel
import Foundation
public import RecordStore
import StorageEngine

// Live objects of files that are open as records.

extension Realm {
  /// The realm of a file that is open already, for the current thread: of a server's file, or of a copy that follows one.
  ///
  /// - Parameter objectTypes: the model classes. Those that the file does not have, and their new properties, are added; all
  ///   others are reached as dynamic objects.
  /// - Throws: ``Error`` with code `schemaMismatch` when the file declares one of them differently.
  /// - Complexity: O(*c*) in the classes of the file.
  public init(of file: RealmFile, objectTypes: [ObjectBase.Type] = []) throws {
    var configuration =
      switch file.location {
      case .file(let path): Configuration(fileURL: URL(fileURLWithPath: path), objectTypes: objectTypes)
      case .inMemory(let name): Configuration(inMemoryIdentifier: name, objectTypes: objectTypes)
      }
    configuration.onlyAdds = true
    view = try RealmView.open(file, nil, configuration, .current)
  }

  /// The open write transaction, to write records in it besides live objects.
  ///
  /// - Precondition: the realm is in a write transaction.
  public var editor: RealmEditor {
    guard let session = view.session else { violated("An editor needs an open write transaction.") }
    return RealmEditor(session)
  }

  /// The object of a class and key as a dynamic object, also one of a class without primary key; nil when there is none.
  ///
  /// - Complexity: O(log *n*) in the objects of the class.
  public func dynamicObject(_ reference: ObjectReference) -> DynamicObject? {
    view.checkConfinement()
    guard view.readView.catalog[reference.className] != nil else { return nil }
    let access = view.dynamicAccess(reference.className)
    return view.reading(or: nil) { try view.readView.row(reference.key, access.layout) }.map {
      access.dynamicObject($0)
    }
  }
}
