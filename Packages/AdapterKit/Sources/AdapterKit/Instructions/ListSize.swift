import DataModel
import RecordStore

extension StateDump.Item {
  /// The size of the list at the end of a way from this value; nil when there is none.
  func listSize(at path: ArraySlice<AdapterPlace.Step>) -> Int? {
    switch (self, path.first) {
    case (.value(let value), _): value.listSize(at: path)
    case (.list(let items), nil): items.count
    case (.list(let items), .index(let index)?):
      items.indices.contains(index) ? items[index].listSize(at: path.dropFirst()) : nil
    case (.embedded(let fields), .name(let name)?): fields[name]?.listSize(at: path.dropFirst())
    case (.dictionary(let entries), .name(let name)?): entries[name]?.listSize(at: path.dropFirst())
    case (.list, .name?), (.embedded, _), (.dictionary, _), (.set, _): nil
    }
  }
}

extension Value {
  fileprivate func listSize(at path: ArraySlice<AdapterPlace.Step>) -> Int? {
    switch (self, path.first) {
    case (.list(let elements), nil): elements.count
    case (.list(let elements), .index(let index)?):
      elements.indices.contains(index) ? elements[index].listSize(at: path.dropFirst()) : nil
    case (.dictionary(let entries), .name(let name)?): entries[name]?.listSize(at: path.dropFirst())
    default: nil
    }
  }
}
