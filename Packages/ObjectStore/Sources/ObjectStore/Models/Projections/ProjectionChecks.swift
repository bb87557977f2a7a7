import Synchronization
import RecordStore

/// Checks the declaration of each projection class once, when its first projection is made.
enum ProjectionChecks {
  private static let checked = Mutex<Set<ObjectIdentifier>>([])

  /// Stops the program when the class projects a property that objects do not store. Any thread may call this.
  static func check<P: ProjectionObservable>(_ projection: P) {
    guard checked.withLock({ $0.insert(ObjectIdentifier(type(of: projection))).inserted }) else { return }
    for (name, property) in projection.projectedProperties {
      rule(
        KeyPathTracer.leadsToStoredProperty(property.path),
        "@Projected property '\(name)' must be a part of Realm object")
    }
  }
}
