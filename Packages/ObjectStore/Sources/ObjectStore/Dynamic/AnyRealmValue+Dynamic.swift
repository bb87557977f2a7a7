extension AnyRealmValue {
  /// The object as a dynamic object, also of a class that this program does not have; nil for every other case, and for
  /// an unmanaged object of a model class.
  public var dynamicObject: DynamicObject? {
    guard case .object(let value) = self else { return nil }
    if let dynamic = value as? DynamicObject { return dynamic }
    guard let access = value.state.pointee.access?.takeUnretainedValue() else { return nil }
    return access.view.dynamicAccess(access.layout.table).live(value.state.pointee.row) as? DynamicObject
  }
}
