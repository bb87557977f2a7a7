/// The row of the table `root`: the latest version.
struct RootRow {
  var version: UInt64
  /// Versions below this may lose nodes.
  var freeable: UInt64
  /// The root page as it is stored; nil when the reader knows the version.
  var content: [UInt8]?
  /// The nodes retired lately, for the writer of the next version; see ``RetiredNodes``.
  var recent: [UInt8]
}
