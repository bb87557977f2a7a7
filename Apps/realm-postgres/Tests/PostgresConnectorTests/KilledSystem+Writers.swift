import Foundation
import PostgresClient
import Synchronization
import TestKit

// Both sides write at the same time.

extension KilledSystem {
  /// The tags that writers have appended to the tags of the first object of a device.
  struct Appends: Sendable {
    var certain: [String] = []
    /// Those of which the answer was lost.
    var unsure: [String] = []
  }

  func stopWriting() { isWriting.store(false, ordering: .releasing) }

  /// Writes to both sides until ``stopWriting()``.
  ///
  /// - Parameter writers: the connections to the database for each device.
  func write(writers: Int) -> Task<Appends, any Error> {
    Task { [self] in
      try await withThrowingTaskGroup(of: Appends.self) { group in
        for device in devices {
          group.addTask { try await self.writeObjects(device) }
          for number in 0..<writers { group.addTask { await self.writeTables(device.base, number) } }
        }
        var all = Appends()
        for try await appends in group {
          all.certain += appends.certain
          all.unsure += appends.unsure
        }
        return all
      }
    }
  }

  private func writeTables(_ base: Int, _ writer: Int) async -> Appends {
    var random = SeededGenerator(seed: UInt64(base + 100 * writer + 11))
    var appends = Appends()
    var connection: PostgresConnection?
    var owner = ""
    var number = 0
    while isWriting.load(ordering: .acquiring) {
      try? await Task.sleep(for: .milliseconds(10))
      number += 1
      let tag = "table \(base) \(writer) \(number)"
      let isAppend = number % 20 == 0
      do {
        if connection?.isAlive != true { connection = try connect() }
        guard let connection else { continue }
        if owner.isEmpty {
          owner = try connection.query("SELECT owner FROM \"KilledItem\" WHERE id = \(base)")[0, 0] ?? ""
        }
        try connection.query(
          isAppend
            ? "INSERT INTO \"KilledItem_tags\" SELECT \(base), coalesce(max(idx), -1) + 1, '\(tag)' FROM \"KilledItem_tags\" WHERE oid = \(base)"
            : Self.statements(base, number, owner, &random))
        counters.withLock { $0.statements += 1 }
        if isAppend { appends.certain.append(tag) }
      } catch let error as PostgresError {
        // A statement that the server refused did nothing; one without an answer may have.
        if error.isConnectionLost, isAppend { appends.unsure.append(tag) }
      } catch { continue }
    }
    return appends
  }

  /// The statements of one transaction.
  private static func statements(
    _ base: Int, _ number: Int, _ owner: String, _ random: inout SeededGenerator
  ) -> String {
    let count = Int.random(in: 0..<4, using: &random) == 0 ? 3 : 1
    // Rows are locked in one order, so that transactions do not wait for each other in a circle.
    let keys = (0..<count).map { _ in base + Int.random(in: 1...60, using: &random) }.sorted()
    let statements = keys.map { statement($0, number, owner, &random) }
    // Statements that are sent together are one transaction.
    return statements.joined(separator: "; ")
  }

  private static func statement(
    _ key: Int, _ number: Int, _ owner: String, _ random: inout SeededGenerator
  ) -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: "DELETE FROM \"KilledItem\" WHERE id = \(key)"
    case 1...3: "UPDATE \"KilledItem\" SET title = 'table \(number)' WHERE id = \(key)"
    case 4:
      "UPDATE \"KilledItem\" SET parent = CASE WHEN EXISTS (SELECT 1 FROM \"KilledItem\" WHERE id = \(key + 1)) THEN \(key + 1) END WHERE id = \(key)"
    case 5: "DELETE FROM \"KilledItem_tags\" WHERE oid = \(key) AND idx = 0"
    case 6:
      "INSERT INTO \"KilledItem_tags\" SELECT id, 900000 + \(number), 't\(number)' FROM \"KilledItem\" WHERE id = \(key) ON CONFLICT DO NOTHING"
    default:
      "INSERT INTO \"KilledItem\" (id, title, amount, owner) VALUES (\(key), 'table \(number)', \(number), '\(owner)') "
        + "ON CONFLICT (id) DO UPDATE SET amount = EXCLUDED.amount"
    }
  }

  private func writeObjects(_ device: KilledDevice) async throws -> Appends {
    var random = SeededGenerator(seed: UInt64(device.base + 12))
    var appends = Appends(certain: ["first \(device.base / 1_000)"])
    var number = 0
    while isWriting.load(ordering: .acquiring) {
      try await Task.sleep(for: .milliseconds(10))
      number += 1
      if let tag = try device.write(number, &random) { appends.certain.append(tag) }
      counters.withLock { $0.transactions += 1 }
    }
    return appends
  }
}
