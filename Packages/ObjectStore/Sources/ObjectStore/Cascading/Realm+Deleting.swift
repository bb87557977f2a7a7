extension Realm {
  /// Deletes an object, and the objects that it owns (see ``ObjectBase/cascadingProperties()``). Links to them become
  /// nil and leave their lists. Outside of a write transaction, and for an invalid object or one of another realm, the
  /// program stops.
  ///
  /// - Complexity: O(*l* log *n*) in the links to and from the object.
  public func delete(_ object: ObjectBase) {
    view.delete(object)
  }

  /// Deletes several objects, each as ``delete(_:)-(ObjectBase)`` does.
  public func delete<S: Sequence>(_ objects: S) where S.Iterator.Element: ObjectBase {
    view.deleteEach(Array(objects))
  }

  /// Deletes the objects of a list, which is empty then.
  public func delete<Element: ObjectBase>(_ objects: List<Element>) {
    view.deleteEach(Array(objects))
  }

  /// Deletes the objects of results.
  public func delete<Element: ObjectBase>(_ objects: Results<Element>) {
    view.deleteAll(objects.source)
  }

  /// Deletes the objects among the values of a map. Their keys stay, with nil.
  public func delete<Key: _MapKey, Value: ObjectBase>(_ map: Map<Key, Value?>) {
    view.deleteEach(map.values.compactMap { $0 })
  }

  /// Deletes every object of every class.
  ///
  /// - Complexity: O(*n*) in the objects and links of the realm.
  public func deleteAll() {
    view.modify { writer in
      for layout in writer.catalog.classes where layout.kind != .embedded {
        for row in try writer.readView.rows(layout) { try writer.erase(row, layout, incoming: .nullify) }
      }
    }
  }
}
