import Transport

/// The pages that the links of messages open: no request to another host, no script within the page.
enum MailPages {
  static let prefix = "/mail/"

  /// The pages of a service.
  static func files(serviceName: String) -> StaticFiles {
    let name = escaped(serviceName)
    return StaticFiles(
      [
        "confirm": page(
          "Confirm your account", name,
          "<form id=\"form\"><label for=\"password\">The password that you chose for \(name)</label>"
            + "<input id=\"password\" type=\"password\" autocomplete=\"current-password\" required>"
            + "<button>Confirm</button></form>"),
        "reset": page(
          "Set a new password", name,
          "<form id=\"form\"><label for=\"password\">New password for \(name)</label>"
            + "<input id=\"password\" type=\"password\" autocomplete=\"new-password\" minlength=\"8\" required>"
            + "<button>Set the password</button></form>"),
        "mail.js": StaticFile(Array(script.utf8), name: "mail.js"),
        "mail.css": StaticFile(Array(style.utf8), name: "mail.css"),
      ],
      headers: [
        "Content-Security-Policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer",
      ])
  }

  /// The answer to a request for a page; nil for other paths.
  static func response(to request: HTTPRequest, _ files: StaticFiles) -> HTTPResponse? {
    guard request.path.hasPrefix(prefix), let path = PercentCoding.decoded(request.path.dropFirst(prefix.count)) else {
      return nil
    }
    return files.response(to: request, path: path)
  }

  private static func page(_ title: String, _ name: String, _ body: String) -> StaticFile {
    let text = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>\(title) · \(name)</title>
      <link rel="stylesheet" href="mail.css">
      <script src="mail.js" defer></script>
      </head>
      <body>
      <main>
      <h1>\(title)</h1>
      \(body)
      <p id="result" role="status"></p>
      <noscript><p>This page needs scripts.</p></noscript>
      </main>
      </body>
      </html>

      """
    return StaticFile(Array(text.utf8), name: "page.html")
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.append(character)
      }
    }
    return result
  }

  /// The secret is read from behind `#` and goes into the body of one request. Mail filters that open links do not press buttons.
  private static let script = """
    "use strict";
    const values = new URLSearchParams(location.hash.slice(1));
    history.replaceState(null, "", location.pathname);
    const isReset = location.pathname.endsWith("reset");
    const form = document.getElementById("form");
    const result = document.getElementById("result");
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const body = {
        token: values.get("token") || "", tokenId: values.get("tokenId") || "",
        password: document.getElementById("password").value };
      const app = encodeURIComponent(values.get("app") || "app");
      try {
        const response = await fetch(
          `../api/client/v2.0/app/${app}/auth/providers/local-userpass/${isReset ? "reset" : "confirm"}`,
          { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        if (response.ok) {
          form.remove();
          result.textContent = isReset ? "The password is set. You can log in now." : "The account is confirmed. You can log in now.";
          return;
        }
        const answer = await response.json().catch(() => ({}));
        result.textContent = answer.error_code === "UserpassTokenInvalid"
          ? "The address was used before, or is too old. Ask for another message." : answer.error || "It did not work. Try again.";
      } catch {
        result.textContent = "The server cannot be reached. Try again.";
      }
    });

    """

  private static let style = """
    :root { color-scheme: light dark; }
    body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
    main { max-width: 28rem; margin: 4rem auto; padding: 0 1rem; }
    label, input, button { display: block; width: 100%; box-sizing: border-box; margin-block: .5rem; font: inherit; }
    input, button { padding: .6rem; }

    """
}
