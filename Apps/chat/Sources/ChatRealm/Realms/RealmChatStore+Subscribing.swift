import ChatCore
import Dispatch
import Foundation
import RealmSwift

/// The subscriptions of the device. On the queue, except the functions of ``ChatStore``.
extension RealmChatStore {
  /// The days for which pages stay on this device after they were last asked for.
  private static let keepsPages: TimeInterval = 30 * 86_400

  /// All rooms that the user may see. Of private ones the server sends those whose access list names the user.
  func subscribeToRooms() {
    guard isSynced else { return }
    add("rooms.public", realms.rooms.objects(PublicChatRoom.self).subscribe(named: "rooms.public"))
    add("rooms.private", realms.rooms.objects(PrivateChatRoom.self).subscribe(named: "rooms.private"))
    add("marks", realms.rooms.objects(ReadMark.self).subscribe(named: "marks"))
  }

  /// The newest page of each room, for what is unread: of private rooms, and of the public ones that the user has opened.
  func followRooms() {
    guard isSynced else { return }
    let opened = realms.settings.objects(RoomSetting.self).map(\._id).filter { Keys.publicName(of: $0) != nil }
    let rooms = opened.filter { pages(of: $0) != nil } + realms.rooms.objects(PrivateChatRoom.self).map(\._id)
    for room in rooms where room != history?.room && subscriptions[HistoryWindow.tailName(room)] == nil {
      subscribe(HistoryQuery(name: HistoryWindow.tailName(room), room: room, limit: 1))
    }
  }

  private func subscribe(_ query: HistoryQuery) {
    guard isSynced else { return }
    var pages = realms.rooms.objects(MessagePage.self).filter("room == %@", query.room)
    if let since = query.since { pages = pages.filter("opened >= %@", since) }
    if let before = query.before { pages = pages.filter("opened < %@", before) }
    let newestFirst = query.limit == nil ? pages : pages.sorted(byKeyPath: "opened", ascending: false)
    add(
      query.name,
      newestFirst.subscribe(named: query.name, limit: query.limit, update: true, timeToLive: Self.keepsPages))
  }

  private func add(_ name: String, _ subscription: SyncSubscription) {
    subscriptions[name] = subscription
    subscriptionTokens[name] = subscription.observe(\.state) { [weak self] _ in self?.changed() }
  }

  /// The first subscription that the server refused, in words.
  var subscriptionProblem: ChatStatus.Problem? {
    for (name, subscription) in subscriptions.sorted(by: { $0.key < $1.key }) {
      if case .error(let error) = subscription.state {
        return .init(
          "the server does not serve '\(name)': \(error)", remedy: "update the server, or ask its administrator")
      }
    }
    return nil
  }

  /// Waits until the subscriptions of this process are in the file, which takes one transaction each: new objects are only
  /// allowed of classes that subscriptions reach.
  func waitForStoredSubscriptions() {
    let pause = DispatchSemaphore(value: 0)
    for _ in 0..<1_000 where subscriptions.values.contains(where: { $0.state == .creating }) {
      _ = pause.wait(timeout: .now() + .milliseconds(5))
    }
  }

  /// Whether everything that was asked for is here.
  var isServed: Bool { subscriptions.values.allSatisfy { $0.state == .complete } }

  // MARK: History

  func open(room: String?) throws {
    queue.sync {
      realms.refresh()
      guard history?.room != room else { return }
      history = room.map { HistoryWindow(room: $0) }
      for query in history?.queries ?? [] { subscribe(query) }
    }
  }

  func older() throws -> Bool {
    queue.sync {
      realms.refresh()
      guard var window = history, let pages = pages(of: window.room) else { return false }
      guard window.stepBack(from: heldPages(pages).map(\.opened).min()) else { return false }
      history = window
      for query in window.queries { subscribe(query) }
      return isSynced
    }
  }

  func wholeHistory(of room: String) throws { queue.sync { subscribeToHistory(of: room) } }

  /// All pages of a room, for sharing them with a new member.
  func subscribeToHistory(of room: String) { subscribe(HistoryQuery(name: "whole.\(room)", room: room)) }

  // MARK: Search

  func search(_ text: String?) throws {
    queue.sync {
      searchText = text
      guard isSynced else { return }
      guard let text else {
        subscriptions.removeValue(forKey: "search")?.unsubscribe()
        subscriptionTokens["search"] = nil
        return
      }
      // The server is asked for pages with the longest word: messages themselves cannot be asked for.
      let words: [Substring] = text.split(whereSeparator: \.isWhitespace)
      let word = words.max { $0.count < $1.count }.map(String.init) ?? text
      add(
        "search",
        realms.rooms.objects(MessagePage.self).filter("ANY messages.body CONTAINS[c] %@", word)
          .sorted(byKeyPath: "opened", ascending: false)
          .subscribe(named: "search", limit: 20, update: true, timeToLive: 3_600))
    }
  }

  /// The messages on this device with all words of the search, newest first.
  func readSearch() -> SearchAnswer? {
    guard let text = searchText else { return nil }
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    var hits: [SearchAnswer.Hit] = []
    var seen: Set<String> = []
    for page in realms.rooms.objects(MessagePage.self) where pages(of: page.room)?.contains(page._id) ?? false {
      for message in page.messages.elements {
        let body = message.body.lowercased()
        guard words.allSatisfy({ body.contains($0) }), seen.insert(message._id).inserted else { continue }
        hits.append(
          .init(
            room: page.room,
            message: ChatCore.Message(
              key: message._id, author: message.author, body: message.body, sent: message.sent,
              replyTo: message.replyTo, delivery: message.author == me.id ? .sent : .received)))
      }
    }
    hits.sort { ($1.message.sent, $1.message.key) < ($0.message.sent, $0.message.key) }
    return SearchAnswer(
      text: text, hits: Array(hits.prefix(500)),
      isComplete: subscriptions["search"].map { $0.state == .complete } ?? !isSynced)
  }
}
