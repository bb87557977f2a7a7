import CommandLineKit

/// The default data directory.
enum DataDefaults {
  /// Below the user's state directory, as the XDG specification says.
  static var directory: String {
    let environment = Environment.current
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state + "/openrealm/server" }
    if let home = environment["HOME"], !home.isEmpty { return home + "/.local/state/openrealm/server" }
    return "./openrealm-data"
  }
}
