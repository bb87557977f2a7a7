import Cryptography
import Foundation
import Transport

/// The page at `/graphql/explore/:path`: write a query with completion, run it, watch a subscription, read the schema.
///
/// The page holds no data and asks for a login itself. Everything is in one response: no other host is asked for anything, and the
/// policy that comes with it lets no script run but this one.
enum ExplorerPage {
  static let response: HTTPResponse = {
    let page = markup.replacing("/*style*/", with: style).replacing(
      "/*script*/", with: script)
    let policy = [
      "default-src 'none'", "script-src 'sha256-\(digest(script))'", "style-src 'sha256-\(digest(style))'",
      "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ]
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy.joined(separator: "; "),
        "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-cache",
      ], body: Array(page.utf8))
  }()

  /// The whole script, one part after the other.
  static let script = [scriptCore, scriptTransport, scriptCompletion, scriptView].joined(separator: "\n")

  private static func digest(_ text: String) -> String {
    Data(Digest.sha256.hash(Array(text.utf8))).base64EncodedString()
  }

  static let markup = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>GraphQL</title>
    <style>/*style*/</style>
    </head>
    <body>
    <header>
      <h1>GraphQL <code id="path"></code></h1>
      <button id="run" title="Ctrl-Enter">Run</button>
      <button id="stop" hidden>Stop</button>
      <select id="operation" title="The operation to run" hidden></select>
      <select id="history" title="What was run before"><option value="">History</option></select>
      <button id="docs">Schema</button>
      <span id="state" role="status"></span>
      <button id="logout" hidden>Log out</button>
    </header>
    <main>
      <section class="left">
        <label for="query">Query <small>Ctrl-Space completes</small></label>
        <div class="editor"><textarea id="query" spellcheck="false" autocomplete="off" autocapitalize="off"></textarea>
        <ul id="completions" role="listbox" hidden></ul></div>
        <label for="variables">Variables</label>
        <textarea id="variables" spellcheck="false"></textarea>
      </section>
      <section class="right">
        <label for="result">Result <small id="count"></small></label>
        <pre id="result" tabindex="0"></pre>
      </section>
      <aside id="schema" hidden></aside>
    </main>
    <dialog id="login">
      <form method="dialog">
        <h2>Log in</h2>
        <label>User <input id="user" autocomplete="username"></label>
        <label>Password <input id="password" type="password" autocomplete="current-password"></label>
        <label>or an access token <input id="token" autocomplete="off"></label>
        <p id="refusal" role="alert"></p>
        <button id="enter">Log in</button>
      </form>
    </dialog>
    <script>/*script*/</script>
    </body>
    </html>
    """#

  static let style = #"""
    :root { color-scheme: light dark; --line: #8884; --accent: #b3168a; }
    * { box-sizing: border-box; }
    body { margin: 0; height: 100vh; display: flex; flex-direction: column; font: 14px/1.5 system-ui, sans-serif; }
    header { display: flex; gap: .6rem; align-items: center; padding: .5rem 1rem; border-bottom: 1px solid var(--line); }
    h1 { font-size: 1rem; margin: 0 auto 0 0; }
    button, select { font: inherit; padding: .25rem .8rem; border: 1px solid var(--line); border-radius: 6px; background: none; color: inherit; cursor: pointer; }
    #run { background: var(--accent); color: white; border-color: var(--accent); }
    #history { max-width: 12rem; }
    main { flex: 1; display: flex; min-height: 0; }
    section { flex: 1; display: flex; flex-direction: column; min-width: 0; padding: .5rem 1rem; }
    section + section, aside { border-left: 1px solid var(--line); }
    label { font-weight: 600; } small { font-weight: 400; opacity: .7; }
    textarea, pre { font: 13px/1.5 ui-monospace, monospace; border: 1px solid var(--line); border-radius: 6px; padding: .6rem; margin: .2rem 0 .6rem; width: 100%; color: inherit; background: none; resize: none; tab-size: 2; }
    .editor { position: relative; flex: 1; display: flex; min-height: 0; } #query, pre { flex: 1; overflow: auto; min-height: 0; }
    #variables { height: 7rem; }
    pre { white-space: pre-wrap; overflow-wrap: anywhere; }
    #completions { position: absolute; margin: 0; padding: .2rem; list-style: none; max-height: 12rem; overflow: auto; background: Canvas; border: 1px solid var(--line); border-radius: 6px; z-index: 1; min-width: 14rem; }
    #completions li { padding: .1rem .5rem; cursor: pointer; font: 13px ui-monospace, monospace; } #completions li[aria-selected=true] { background: var(--accent); color: white; }
    aside { width: 22rem; overflow: auto; padding: .5rem 1rem; } aside h2 { font-size: 1rem; margin: .5rem 0; } aside dt { font-family: ui-monospace, monospace; } aside dd { margin: 0 0 .4rem 1rem; opacity: .8; }
    aside a { color: var(--accent); cursor: pointer; }
    dialog { border: 1px solid var(--line); border-radius: 10px; padding: 1.5rem; } dialog label { display: block; margin: .5rem 0; } dialog input { display: block; font: inherit; width: 18rem; padding: .3rem; } #refusal { color: #c22; min-height: 1.5em; margin: .5rem 0; }
    """#
}
