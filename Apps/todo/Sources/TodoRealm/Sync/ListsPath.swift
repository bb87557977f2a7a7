import CommandLineKit

/// The path of a user's lists on a server: `/<id>/todo/<name>`.
///
/// The name is part of the path so that people with whom lists are shared can tell whose they are: the server
/// tells users the paths that they may open, but not the names of other users.
enum ListsPath {
  /// The path of the lists of a user.
  static func path(id: String, name: String) -> String { "/\(id)/todo/\(StateFolder.fileName(name))" }

  /// The path among some that belongs to a user, given by name or id.
  static func path(of owner: String, among paths: [String]) -> String? {
    let name = StateFolder.fileName(owner)
    return paths.first { path in
      let parts = path.split(separator: "/").map(String.init)
      return parts.count == 3 && parts[1] == "todo" && (parts[2] == name || parts[0] == owner)
    }
  }
}
