import CStudioPages
public import Transport

/// The pages of Studio: the browser's console for a server, as files that are compiled into the program.
///
///     StudioPages.files.response(to: request, path: "")?.status      // 200: index.html
///
/// The pages ask nothing of any other host, and their policy forbids it; scripts and styles come from these files alone.
public enum StudioPages {
  /// All files with the headers that each answer carries.
  public static let files = StaticFiles(contents, headers: headers)

  /// The headers of every page.
  static let headers: HTTPHeaders = [
    "Content-Security-Policy": """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  ]

  private static let contents: [String: StaticFile] = Dictionary(
    (0..<studio_page_count).map { index in
      let page = studio_page_at(index)
      let path = String(cString: page.path)
      return (path, StaticFile(Array(UnsafeBufferPointer(start: page.bytes, count: page.size)), name: path))
    }, uniquingKeysWith: { first, _ in first })
}
