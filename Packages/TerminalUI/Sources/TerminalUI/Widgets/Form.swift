import TextWidth

/// Labelled fields that are edited together, in a frame.
///
/// Tab, Shift-Tab, Up and Down go from field to field, Left and Right change a choice, Enter or Ctrl-S submits,
/// Escape or Ctrl-C cancels. In a text area Enter, Up and Down edit; Ctrl-S submits.
public struct Form: Equatable, Sendable {
  /// One field.
  public enum Content: Equatable, Sendable {
    case text(TextField)
    case area(TextArea)
    case choice([String], selected: Int)
  }

  /// A label and what is edited under it.
  public struct Field: Equatable, Sendable {
    /// The text before the field.
    public var label: String
    /// The value under edit.
    public var content: Content
    /// Shown in an empty field.
    public var hint: String
    /// The mistake in the value; shown under the field.
    public var error: String?

    /// A field.
    public init(_ label: String, _ content: Content, hint: String = "") {
      self.label = label
      self.content = content
      self.hint = hint
    }

    /// The text of the field; of a choice, the chosen word.
    public var text: String {
      switch content {
      case .text(let field): field.text
      case .area(let area): area.text
      case .choice(let words, let selected): words.indices.contains(selected) ? words[selected] : ""
      }
    }
  }

  /// The effect of a key.
  public enum Outcome: Equatable, Sendable {
    case editing, submitted, cancelled
  }

  /// The text in the frame.
  public var title: String
  /// The fields, from top to bottom.
  public var fields: [Field]
  /// The index of the field with the cursor.
  public var focus: Int

  /// A form with the cursor in its first field.
  public init(title: String, fields: [Field]) {
    self.title = title
    self.fields = fields
    focus = 0
  }

  /// Takes a key.
  public mutating func handle(_ key: Key) -> Outcome {
    guard fields.indices.contains(focus) else { return key == .escape ? .cancelled : .editing }
    switch key {
    case .escape, .control("c"): return .cancelled
    case .control("s"): return .submitted
    case .tab: move(by: 1)
    case .backTab: move(by: -1)
    default: return handleInField(key)
    }
    return .editing
  }

  private mutating func move(by step: Int) { focus = (focus + step + fields.count) % fields.count }

  private mutating func handleInField(_ key: Key) -> Outcome {
    var handled = false
    switch fields[focus].content {
    case .text(var field):
      handled = field.handle(key)
      fields[focus].content = .text(field)
    case .area(var area):
      handled = area.handle(key)
      fields[focus].content = .area(area)
    case .choice(let words, let selected):
      let step = key == .left ? -1 : key == .right || key == .space ? 1 : 0
      handled = step != 0 && !words.isEmpty
      if handled {
        fields[focus].content = .choice(words, selected: (selected + step + words.count) % words.count)
      }
    }
    if handled {
      fields[focus].error = nil
      return .editing
    }
    switch key {
    case .enter: return .submitted
    case .down: move(by: 1)
    case .up: move(by: -1)
    default: break
    }
    return .editing
  }

  /// Takes pasted text into the field with the cursor.
  public mutating func paste(_ text: String) {
    guard fields.indices.contains(focus) else { return }
    switch fields[focus].content {
    case .text(var field):
      field.paste(text)
      fields[focus].content = .text(field)
    case .area(var area):
      area.paste(text)
      fields[focus].content = .area(area)
    case .choice: break
    }
  }
}
