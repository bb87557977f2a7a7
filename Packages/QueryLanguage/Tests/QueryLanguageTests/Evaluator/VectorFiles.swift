import QueryLanguageTestSupport
import TestKit

extension VectorFile {
  /// All files of the repository and of `OPENREALM_QUERY_VECTORS`.
  static func all() throws -> [VectorFile] {
    try RepositoryFiles.vectors("query", variable: "OPENREALM_QUERY_VECTORS").map { try VectorFile($0) }
  }
}
