import Foundation

/// Reads todo.txt: one task per line.
///
///     x 2026-11-20 2026-11-01 Buy milk +groceries @shop due:2026-11-19 pri:A
///     │ │          │          └ title, with +projects and @contexts; known key:value words are taken out
///     │ │          └ created
///     │ └ completed
///     └ done
enum TodoTxtReader {
  static func read(_ lines: [FileText.Line]) -> ImportedFile {
    var file = ImportedFile()
    for line in lines where !line.text.allSatisfy(\.isWhitespace) {
      let task = parse(line.text)
      for doubt in task.doubts { file.report(line.number, doubt) }
      guard !task.fields.title.isEmpty else {
        file.report(line.number, "no title in '\(line.text.prefix(60))'", isSkipped: true)
        continue
      }
      file.add(task.fields, to: task.list)
    }
    return file
  }

  static func parse(_ line: String) -> TaskText {
    var rest = line[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    let isDone = rest.hasPrefix("x ")
    if isDone { rest = rest.dropFirst(2) }
    var priority = takePriority(&rest)
    var days: [Day] = []
    while days.count < (isDone ? 2 : 1), let day = takeDay(&rest) { days.append(day) }
    if priority == nil, isDone { priority = takePriority(&rest) }

    // The space keeps a second word such as (B) in the title.
    var task = TaskText(" " + rest)
    if let priority { task.fields.priority = priority }
    task.fields.isDone = isDone
    if isDone, let first = days.first { task.fields.completed = first.date }
    if days.count > (isDone ? 1 : 0), let last = days.last { task.fields.created = last.date }
    return task
  }

  private static func takePriority(_ rest: inout Substring) -> Int? {
    guard let priority = TaskText.priority(rest.prefix(3)), rest.dropFirst(3).first == " " else { return nil }
    rest = rest.dropFirst(4)
    return priority
  }

  private static func takeDay(_ rest: inout Substring) -> Day? {
    guard let day = Day(text: rest.prefix(10)) else { return nil }
    let after = rest.dropFirst(10)
    guard after.isEmpty || after.first == " " else { return nil }
    rest = after.dropFirst()
    return day
  }
}

/// Writes todo.txt. Lists become `list:` words, notes `note:` words; the priority of a done item a `pri:` word.
enum TodoTxtWriter {
  static func write(_ lists: [ItemList]) -> String {
    lists.map { list in
      list.items.map { line($0.fields, list: lists.count > 1 ? list.name : nil) + "\n" }.joined()
    }.joined()
  }

  static func line(_ fields: ItemFields, list: String?) -> String {
    var head: [String] = []
    if fields.isDone {
      head.append("x")
      // A creation date alone would be read as the completion date.
      if let completed = fields.completed ?? fields.created { head.append(Day(completed).text) }
    } else if fields.priority > 0 {
      head.append("(\(Priority.letter(fields.priority)))")
    }
    if let created = fields.created { head.append(Day(created).text) }
    var tail: [String] = []
    if let due = fields.due { tail.append("due:" + due.text) }
    if fields.isDone, fields.priority > 0 { tail.append("pri:" + Priority.letter(fields.priority)) }
    if !fields.isDone, let completed = fields.completed { tail.append("done:" + Day(completed).text) }
    if let list { tail.append("list:" + WordEscape.encode(list)) }
    if !fields.notes.isEmpty { tail.append("note:" + WordEscape.encode(fields.notes)) }
    let title = TaskText.title(fields.title) { title in
      let line = (head + [title] + tail).joined(separator: " ")
      let task = TodoTxtReader.parse(line)
      return !line.contains(where: \.isNewline) && task.fields.title == fields.title && task.fields.due == fields.due
        && task.fields.priority == fields.priority && task.fields.isDone == fields.isDone
        && task.fields.notes == fields.notes && task.list == list
        && task.fields.created.map(Day.init) == fields.created.map(Day.init)
    }
    return (head + [title] + tail).joined(separator: " ")
  }
}
