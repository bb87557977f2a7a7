/// The release that all programs of the project belong to.
public enum Release {
  /// The version that `--version`, `/health` and packages tell. The only place where it stands.
  public static let version = "0.1.0"
}
