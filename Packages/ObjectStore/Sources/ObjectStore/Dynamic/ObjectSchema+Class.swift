public import DataModel

extension ObjectSchema {
  /// The model class of this program; ``DynamicObject`` when it has none of that name.
  public var objectClass: AnyClass { ClassBinding.named(className) ?? DynamicObject.self }
}
