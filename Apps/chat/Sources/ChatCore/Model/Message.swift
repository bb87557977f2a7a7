import Foundation

/// A text that somebody said in a room.
public struct Message: Equatable, Sendable {
  /// The way of a message that the user wrote.
  public enum Delivery: String, Equatable, Sendable {
    /// Somebody else wrote it.
    case received
    /// It is on this device; the server does not have it yet.
    case written
    /// The server has it.
    case sent
    /// Another member has read it.
    case read
  }

  /// Identifies the message on every device.
  public let key: String
  /// The id of the user who wrote it, by that user's own account.
  public var author: String
  /// The text, of any number of lines.
  public var body: String
  /// The time by the clock of the author's device.
  public var sent: Date
  /// The key of the message that it answers.
  public var replyTo: String?
  /// The reactions, in the order in which they came.
  public var reactions: [Reaction]
  /// How far the message has come.
  public var delivery: Delivery

  /// A message.
  public init(
    key: String, author: String, body: String, sent: Date, replyTo: String? = nil, reactions: [Reaction] = [],
    delivery: Delivery = .received
  ) {
    self.key = key
    self.author = author
    self.body = body
    self.sent = sent
    self.replyTo = replyTo
    self.reactions = reactions
    self.delivery = delivery
  }

  /// Each emoji with the number of people who chose it, in the order in which they first came. One person counts once for
  /// each.
  public var reactionCounts: [(emoji: String, count: Int)] {
    var counts: [(emoji: String, count: Int)] = []
    var seen: Set<Reaction> = []
    for reaction in reactions where seen.insert(reaction).inserted {
      if let index = counts.firstIndex(where: { $0.emoji == reaction.emoji }) {
        counts[index].count += 1
      } else {
        counts.append((reaction.emoji, 1))
      }
    }
    return counts
  }
}

/// One person's reaction to a message.
public struct Reaction: Equatable, Hashable, Sendable {
  /// One character, such as 👍.
  public var emoji: String
  /// The id of the user.
  public var author: String

  /// A reaction.
  public init(emoji: String, author: String) {
    self.emoji = emoji
    self.author = author
  }
}
