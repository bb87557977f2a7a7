import DataExchange
import DataModel
import GraphQL
import QueryLanguage
import RecordStore

/// One version of a realm while a request is answered from it: tables, and clusters that were met.
///
/// A request runs on one thread, and its batches and columns share this.
// @unchecked Sendable: used by one request, which runs on one thread.
final class RealmReading: @unchecked Sendable {
  let model: RealmModel
  let readable: ReadableContents
  let codec: JSONCodec
  private var tables: [String: ReadingTable] = [:]

  init(_ model: RealmModel, _ readable: ReadableContents) {
    self.model = model
    self.readable = readable
    codec = JSONCodec(readable.contents.schema)
  }

  var source: any QuerySource { readable.source }

  /// The objects of a class.
  func table(_ className: String) throws -> ReadingTable {
    if let table = tables[className] { return table }
    guard let table = try source.table(className) else {
      throw GraphQLError("The realm has no class \"\(className)\".", code: "NOT_FOUND")
    }
    let made = ReadingTable(table)
    tables[className] = made
    return made
  }

  /// The objects in rows of a class; rows in which nothing lives are left out before.
  func batch(_ type: ClassModel, _ rows: [QueryRow]) throws -> RowBatch {
    let table = try table(type.className)
    var places: [RowLocation] = []
    places.reserveCapacity(rows.count)
    for row in rows {
      guard let place = try table.table.location(of: row) else {
        throw GraphQLError("An object of class \"\(type.className)\" is gone.")
      }
      places.append(place)
    }
    return RowBatch(reading: self, type: type, table: table, rows: rows, places: places)
  }
}

/// The objects of one class, with the clusters that were met.
final class ReadingTable {
  let table: any QueryTable
  private var clusters: [Int: any QueryCluster] = [:]

  init(_ table: any QueryTable) { self.table = table }

  func cluster(at position: Int) throws -> any QueryCluster {
    if let cluster = clusters[position] { return cluster }
    let cluster = try table.cluster(at: position)
    clusters[position] = cluster
    return cluster
  }
}
