extension Realm {
  /// Deletes an object. Links to it become nil and leave their lists.
  public func delete(_ object: ObjectBase) {
    view.delete(object)
  }

  /// Deletes objects.
  public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
    view.deleteEach(Array(objects))
  }

  /// Deletes the objects in a list.
  public func delete<Element: ObjectBase>(_ objects: List<Element>) {
    view.deleteEach(Array(objects))
  }

  /// Deletes the objects that a query finds.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
    view.deleteAll(objects.source)
  }

  /// Deletes the objects that are values of a map. Their keys stay, with nil.
  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) {
    view.deleteEach(map.values.compactMap { $0 })
  }

  /// Deletes every object of every class.
  public func deleteAll() {
    view.modify { writer in
      for layout in writer.catalog.classes where layout.kind != .embedded {
        for row in try writer.frame.rows(layout) { try writer.erase(row, layout, incoming: .nullify) }
      }
    }
  }
}
