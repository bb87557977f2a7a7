import Foundation
import PostgresClient

// The checker, which reads both sides.

extension KilledSystem {
  /// The tags of the objects to which both sides append.
  func tags() throws -> [String] {
    let keys = devices.map { "\($0.base)" }.joined(separator: ", ")
    let rows = try connect().query("SELECT target FROM \"KilledItem_tags\" WHERE oid IN (\(keys)) ORDER BY oid, idx")
    return (0..<rows.count).compactMap { rows[$0, 0] }
  }

  func deadLetters() throws -> [String] {
    let rows = try connect().query("SELECT direction, class, key, reason FROM openrealm.dead_letters LIMIT 5")
    return (0..<rows.count).map { rows.row($0).map { $0 ?? "" }.joined(separator: " ") }
  }

  /// The first difference between the devices' objects and the rows, once they stay equal, nothing has moved for a while, or the time
  /// is over.
  func difference(idle: Duration = .seconds(120), within limit: Duration = .seconds(1_200)) async throws -> String? {
    let began = ContinuousClock.now
    var (last, moved, state) = (String?.none, began, "")
    var equal = 0
    while ContinuousClock.now < began + limit, ContinuousClock.now < moved + idle {
      do {
        var objects: [Int: [String]] = [:]
        for device in devices { objects.merge(try device.objects()) { $1 } }
        let rows = try rows()
        last = Self.compare(objects, rows)
        let new = "\(last ?? "") \(try position())"
        if new != state { (state, moved) = (new, .now) }
      } catch { last = "\(error)" }
      equal = last == nil ? equal + 1 : 0
      if equal == 5 {
        print("equal after \((ContinuousClock.now - began) / .seconds(1)) seconds")
        return nil
      }
      try await Task.sleep(for: .milliseconds(300))
    }
    let log = (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? ""
    print(log.suffix(4_000), "\n", state)
    return last ?? "they do not stay equal"
  }

  /// How far the connector is: in the log of the database, and in the realms.
  private func position() throws -> String {
    let rows = try connect().query(
      "SELECT confirmed_flush_lsn::text FROM pg_replication_slots UNION ALL "
        + "(SELECT version::text FROM openrealm.progress ORDER BY realm)")
    return (0..<rows.count).map { rows[$0, 0] ?? "" }.joined(separator: " ")
  }

  private static func compare(_ here: [Int: [String]], _ there: [Int: [String]]) -> String? {
    for key in Set(here.keys).union(there.keys).sorted() where here[key] != there[key] {
      return "\(key) is \(here[key]?.suffix(60) ?? []) here, \(there[key]?.suffix(60) ?? []) there"
    }
    return nil
  }

  private func rows() throws -> [Int: [String]] {
    let connection = try connect()
    var rows: [Int: [String]] = [:]
    let items = try connection.query("SELECT id, title, amount, parent FROM \"KilledItem\"")
    for number in 0..<items.count {
      guard let key = items[number, 0].flatMap({ Int($0) }) else { continue }
      rows[key] = items.row(number).dropFirst().map { $0 ?? "NULL" }
    }
    let tags = try connection.query("SELECT oid, target FROM \"KilledItem_tags\" ORDER BY oid, idx")
    for number in 0..<tags.count {
      if let key = tags[number, 0].flatMap({ Int($0) }) { rows[key]?.append(tags[number, 1] ?? "NULL") }
    }
    return rows
  }
}
