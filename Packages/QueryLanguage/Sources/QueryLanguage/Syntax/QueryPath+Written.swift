extension QueryPath {
  /// The path as it is written in a query, for messages; names that cannot be written stay as they are.
  public var written: String {
    var text = ""
    for element in elements {
      switch element.step {
      case .name(let name): text += text.isEmpty ? name : ".\(name)"
      case .backlinks(let className, let property):
        text += (text.isEmpty ? "" : ".") + "@links.\(className).\(property)"
      case .allBacklinks: text += (text.isEmpty ? "" : ".") + "@links"
      case .index(let index): text += "[\(index)]"
      case .last: text += "[LAST]"
      case .all: text += "[*]"
      case .key(let key): text += "[\"\(key)\"]"
      case .argument(let index): text += "[$\(index)]"
      case .keys: text += ".@keys"
      case .values: text += ".@values"
      case .keyPathArgument(let index): text += "$K\(index)"
      }
    }
    return text
  }
}
