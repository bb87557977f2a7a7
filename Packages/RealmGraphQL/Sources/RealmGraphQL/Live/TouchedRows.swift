import ChangesetOT
import DataModel
import QueryLanguage
import SubscriptionMatching

/// The rows of a class that commits touched.
enum TouchedRows {
  case all
  case rows(Set<QueryRow>)

  func contains(_ row: QueryRow) -> Bool {
    switch self {
    case .all: true
    case .rows(let rows): rows.contains(row)
    }
  }
}

extension ObjectChange {
  var reference: ObjectReference { ObjectReference(className: className, key: key) }
}
