import Foundation
import TerminalUI
import TextWidth

/// One line of the part of the screen that shows messages.
struct MessageLine: Equatable {
  /// The message that the line belongs to; nil for lines between messages.
  var key: String?
  var spans: [Span]
}

extension ChatScreen {
  /// The lines of all messages that are here, with the days and the beginning of what is new between them.
  ///
  /// - Complexity: O(*n*) in the characters of the messages.
  func lines(columns: Int) -> [MessageLine] {
    guard columns > 0, let room else { return [] }
    var lines: [MessageLine] = []
    if !messages.isEmpty {
      let text =
        chat.hasOlder
        ? (isAskingOlder ? "earlier messages are on their way" : "Page Up for earlier messages") : "the beginning"
      lines.append(MessageLine(spans: [Span("── \(text) ──", .dim)]))
    }
    var day = ""
    var isNew = false
    let bodies = Dictionary(messages.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for message in messages {
      if chat.gaps.contains(message.key) {
        lines.append(MessageLine(spans: [Span("── others are not here: Home, Page Up brings them ──", .dim)]))
      }
      let today = Moment.day(message.sent, zone: zone(message.sent))
      if today != day { lines.append(MessageLine(spans: [Span("── \(today) ──", .dim)])) }
      day = today
      if !isNew, message.author != chat.me.id, let newSince, message.sent > newSince {
        isNew = true
        lines.append(MessageLine(spans: [Span("── new ──", Style.plain.foreground(.red))]))
      }
      lines += self.lines(of: message, answering: message.replyTo.map { bodies[$0] }, room, columns)
    }
    return lines
  }

  private func lines(
    of message: ChatCore.Message, answering answered: ChatCore.Message??, _ room: Room, _ columns: Int
  ) -> [MessageLine] {
    let own = message.author == chat.me.id
    let name = TextCleaning.line(chat.name(of: message.author)).truncated(to: max(4, columns / 3))
    let (mark, markStyle) = Self.mark(message.delivery)
    let time = Moment.time(message.sent, zone: zone(message.sent))
    var head = [
      Span(mark, markStyle), Span(time + " ", .dim),
      Span(name, Style.plain.bold.foreground(own ? nil : Self.colour(of: message.author))), Span(" "),
    ]
    let indent = min(head.reduce(0) { $0 + $1.columns }, max(3, columns / 3))
    if indent < head.reduce(0, { $0 + $1.columns }), columns < 24 {
      head = [Span(mark, markStyle), Span(name + " ", .bold)]
    }
    let headWidth = head.reduce(0) { $0 + $1.columns }
    // The first line has the head before it, the others a fixed indent.
    let body = TextCleaning.lines(message.body)
    let wrapped = TextWrapping.lines(of: body, columns: max(1, columns - max(indent, headWidth)))
    var lines: [MessageLine] = []
    if let answered {
      let text = answered.map { "\(chat.name(of: $0.author)): \($0.body)" } ?? "a message that is not here"
      let short = TextCleaning.line(text).truncated(to: max(1, columns - headWidth - 2))
      lines.append(
        MessageLine(
          key: message.key, spans: [Span(String(repeating: " ", count: headWidth)), Span("↳ " + short, .dim)]))
    }
    for (number, line) in wrapped.enumerated() {
      let start = number == 0 ? head : [Span(String(repeating: " ", count: headWidth))]
      lines.append(MessageLine(key: message.key, spans: start + [Span(line)]))
    }
    let counts = message.reactionCounts
    if !counts.isEmpty {
      let text = counts.map { "\(TextCleaning.line($0.emoji)) \($0.count)" }.joined(separator: "  ")
      lines.append(
        MessageLine(
          key: message.key,
          spans: [Span(String(repeating: " ", count: headWidth)), Span(text, Style.plain.foreground(.yellow))]))
    }
    return lines
  }

  /// The mark of a delivery, two columns and a space.
  static func mark(_ delivery: ChatCore.Message.Delivery) -> (String, Style) {
    switch delivery {
    case .received: ("   ", .plain)
    case .written: ("…  ", Style.plain.foreground(.yellow))
    case .sent: ("✓  ", .dim)
    case .read: ("✓✓ ", Style.plain.foreground(.green))
    }
  }

  /// The colour of a person's name: the same on every device, and never that of the background.
  static func colour(of id: String) -> Color {
    let hash = id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let colours: [Color] = [.red, .green, .yellow, .blue, .purple, .cyan]
    return colours[Int(hash % UInt32(colours.count))]
  }
}

extension Span {
  /// The columns that the span takes when it is drawn.
  var columns: Int { TextCleaning.line(text).displayWidth }
}
