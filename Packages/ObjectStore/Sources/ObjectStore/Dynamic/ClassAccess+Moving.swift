import StorageEngine

extension ClassAccess {
  /// The same class in another view.
  func moved(to view: RealmView) -> ClassAccess {
    isDynamic ? view.dynamicAccess(name) : view.access(binding.type)
  }

  /// The live object of a row.
  func live(_ row: RowKey) -> ObjectBase {
    isDynamic ? dynamicObject(row) : view.live(binding.type, row)
  }

  /// The dynamic object of a row.
  func dynamicObject(_ row: RowKey) -> DynamicObject {
    let object = DynamicObject()
    object.attach(self, row)
    return object
  }
}

extension CollectionAccessor {
  /// The class of the elements.
  func elementAccess(_ type: ObjectBase.Type) -> ClassAccess {
    type == DynamicObject.self ? view.dynamicAccess(field.target ?? "") : view.access(type)
  }
}
