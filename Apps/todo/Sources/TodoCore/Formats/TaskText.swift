import Foundation

/// The words of a task that todo.txt and Markdown share: a priority at the beginning, and `key:value` words.
///
///     (A) Call mum +family due:2026-11-21 note:bring%20cake
///
/// `due:`, `done:`, `created:`, `pri:`, `list:`, `note:` and `text:` are taken out where their value is valid; all
/// other words, and their spacing, stay in the title.
struct TaskText: Equatable {
  var fields = ItemFields(title: "")
  var list: String?
  var doubts: [String] = []

  init(_ text: some StringProtocol) {
    var words = text.split(separator: " ", omittingEmptySubsequences: false)
    if let first = words.first, let priority = Self.priority(first) {
      fields.priority = priority
      words.removeFirst()
    }
    var whole: String?
    words.removeAll { take($0, &whole) }
    let plain = words.joined(separator: " ").trimmingCharacters(in: .whitespaces)
    var titled = ItemFields(anyTitle: plain)
    if let whole {
      titled = ItemFields(anyTitle: whole)
      if !plain.isEmpty { titled.addNote(plain) }
    }
    fields.title = titled.title
    if !titled.notes.isEmpty { fields.notes = titled.notes + (fields.notes.isEmpty ? "" : "\n" + fields.notes) }
  }

  static func priority(_ word: some StringProtocol) -> Int? {
    guard word.utf8.count == 3, word.hasPrefix("("), word.hasSuffix(")") else { return nil }
    let letter = word.dropFirst().dropLast()
    return letter.uppercased() == String(letter) ? Priority.number(letter) : nil
  }

  /// Takes a word; answers whether it is no part of the title.
  private mutating func take(_ word: some StringProtocol, _ whole: inout String?) -> Bool {
    guard let colon = word.firstIndex(of: ":") else { return false }
    let value = word[word.index(after: colon)...]
    guard !value.isEmpty else { return false }
    switch word[..<colon] {
    case "due":
      guard fields.due == nil, let day = day(word, value) else { return false }
      fields.due = day
    case "done":
      guard fields.completed == nil, let day = day(word, value) else { return false }
      fields.completed = day.date
    case "created":
      guard fields.created == nil, let day = day(word, value) else { return false }
      fields.created = day.date
    case "pri":
      guard fields.priority == 0, let priority = Priority.number(value) else { return false }
      fields.priority = priority
    case "list":
      guard list == nil, let name = WordEscape.decode(value).flatMap(Keys.listName) else { return false }
      list = name
    case "note":
      guard fields.notes.isEmpty, let notes = WordEscape.decode(value) else { return false }
      fields.notes = notes
    case "text":
      guard whole == nil, let text = WordEscape.decode(value) else { return false }
      whole = text
    default: return false
    }
    return true
  }

  private mutating func day(_ word: some StringProtocol, _ value: some StringProtocol) -> Day? {
    if let day = Day(text: value) { return day }
    doubts.append("'\(word.prefix(60))' is not a date of the form 2026-11-21; kept in the title")
    return nil
  }

  /// The text of a title such that it is read back as it is: plain where possible, else as one `text:` word.
  static func title(_ title: String, readBack: (String) -> Bool) -> String {
    readBack(title) ? title : "text:" + WordEscape.encode(title)
  }
}
