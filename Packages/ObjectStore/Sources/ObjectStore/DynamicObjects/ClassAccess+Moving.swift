import StorageEngine

extension ClassAccess {
  /// The same class in another view.
  func moved(to view: RealmView) -> ClassAccess {
    isDynamic ? view.dynamicAccess(name) : view.access(binding.type)
  }

  /// The live object of a row.
  func live(_ row: RowKey) -> ObjectBase {
    guard isDynamic else { return view.live(binding.type, row) }
    let object = binding.type.init()
    object.attach(self, row)
    return object
  }
}

extension CollectionPlace {
  /// The class of the elements.
  func elementAccess(_ type: ObjectBase.Type) -> ClassAccess {
    type == DynamicObject.self ? view.dynamicAccess(field.target ?? "") : view.access(type)
  }
}
