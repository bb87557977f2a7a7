public import Foundation

/// One subscription to pages of a room's history.
public struct HistoryQuery: Equatable, Sendable {
  /// The name of the subscription.
  public var name: String
  /// The key of the room.
  public var room: String
  /// Only pages opened at this date or later.
  public var since: Date?
  /// Only pages opened before this date: the page key.
  public var before: Date?
  /// The greatest number of pages, the newest first; nil for all.
  public var limit: Int?

  /// A subscription.
  public init(name: String, room: String, since: Date? = nil, before: Date? = nil, limit: Int? = nil) {
    self.name = name
    self.room = room
    self.since = since
    self.before = before
    self.limit = limit
  }
}

/// The part of a room's history that this device asks for, as subscriptions: the newest pages, and by each step back a few
/// more.
///
/// A limited subscription holds the newest pages of its condition, so that a page that grows old leaves it. Therefore the
/// first step back turns it into one without a limit: everything since the oldest page that is here. The steps behind it have
/// a fixed upper end, below which nothing is added any more.
///
///     tail          room == R  SORT(opened DESC) LIMIT 2
///     first step    room == R AND opened >= k          and   room == R AND opened < k  SORT(opened DESC) LIMIT 2
public struct HistoryWindow: Equatable, Sendable {
  /// The pages of a step.
  public static let step = 2

  /// The key of the room.
  public let room: String
  /// The ends of the steps taken so far, newest first.
  public private(set) var keys: [Date] = []

  /// The newest pages of a room.
  public init(room: String) { self.room = room }

  /// Asks for the pages before those that are here.
  ///
  /// - Parameter oldest: when the oldest page on this device was opened; nil where there is none.
  /// - Returns: whether there is something new to ask for.
  public mutating func stepBack(from oldest: Date?) -> Bool {
    guard let oldest, keys.last.map({ oldest < $0 }) ?? true else { return false }
    keys.append(oldest)
    return true
  }

  /// The subscriptions, the newest pages first. Names stay with their condition, except that of the tail.
  public var queries: [HistoryQuery] {
    let tail = HistoryQuery(
      name: Self.tailName(room), room: room, since: keys.first, limit: keys.isEmpty ? Self.step : nil)
    return [tail]
      + keys.enumerated().map { number, key in
        HistoryQuery(name: "older.\(room).\(number + 1)", room: room, before: key, limit: Self.step)
      }
  }

  /// The name of the subscription to the newest pages of a room.
  public static func tailName(_ room: String) -> String { "tail.\(room)" }
}
