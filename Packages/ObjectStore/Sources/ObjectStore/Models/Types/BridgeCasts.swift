import RecordStore

/// The value as another type, `NSNull` as nil; what came out of a bridge elsewhere.
public func dynamicBridgeCast<T>(fromObjectiveC value: Any) -> T {
  func converted<V: RealmCollectionValue>(_ type: V.Type) -> T? { V._converted(value).flatMap { $0 as? T } }
  guard let value = value as? T ?? (T.self as? any RealmCollectionValue.Type).flatMap({ converted($0) }) else {
    violated("'\(value)' is no \(T.self).")
  }
  return value
}

/// The value itself; what went into a bridge elsewhere.
public func dynamicBridgeCast<T>(fromSwift value: T) -> Any { value }
