import ChangesetOT
import DataModel
public import ObjectStore
import SyncProtocol

/// An object whose change the server undid because the user may not make it.
///
///     SyncManager.shared.errorHandler = { error, _ in
///       for write in (error as? SyncError)?.compensatingWriteInfo ?? [] { show(write.objectType, write.reason) }
///     }
public struct CompensatingWriteInfo: Sendable, Hashable {
  /// The class of the object.
  public let objectType: String
  /// The reason, in the words of the server.
  public let reason: String
  private let key: ObjectKey?

  init(_ rejection: CompensatingWrite.Rejection) {
    objectType = rejection.className
    reason = rejection.reason
    key = try? ObjectKey(encodedText: rejection.primaryKey)
  }

  /// The primary key of the object; `.none` for a null key, and for classes without one.
  public var primaryKey: AnyRealmValue {
    switch key {
    case .int(let number): .int(Int(number))
    case .string(let text): .string(text)
    case .objectId(let id): .objectId(id)
    case .uuid(let uuid): .uuid(uuid)
    case .null, .global, nil: .none
    }
  }
}

extension SyncError {
  /// With ``Code/writeRejected``: the objects whose changes the server undid. Nil for other errors.
  public var compensatingWriteInfo: [CompensatingWriteInfo]? {
    guard code == .writeRejected else { return nil }
    return cause?.compensation?.rejections.map(CompensatingWriteInfo.init)
  }
}
