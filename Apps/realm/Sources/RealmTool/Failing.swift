import CommandLineKit
import DataExchange
import ObjectStore
import QueryLanguage

extension RealmTool {
  /// Runs work, turning the errors of the libraries into those of a tool, with their code and place for programs.
  static func failing<R>(_ what: String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as CommandFailure { throw error } catch let error as UsageError {
      throw error
    } catch let error as Realm.Error {
      throw CommandFailure("\(what): \(error.message)", code: "\(error.code)")
    } catch let error as ExchangeError {
      throw CommandFailure("\(error)", code: "badData", details: details(error))
    } catch let error as QueryError {
      throw CommandFailure(
        "\(what): \(error)", code: "badQuery",
        details: [("line", .integer(error.line)), ("column", .integer(error.column))])
    } catch { throw CommandFailure("\(what): \(error)") }
  }

  private static func details(_ error: ExchangeError) -> [(name: String, value: JSONOutput)] {
    var details: [(name: String, value: JSONOutput)] = []
    if let file = error.file { details.append(("file", .text(file))) }
    if let line = error.line { details.append(("line", .integer(line))) }
    if let column = error.column { details.append(("column", .integer(column))) }
    if let place = error.place { details.append(("place", .text(place))) }
    return details
  }
}
