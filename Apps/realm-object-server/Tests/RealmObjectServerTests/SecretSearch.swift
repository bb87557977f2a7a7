import Foundation

/// A search of files for secrets, as they are and in the forms that text and bytes are written in.
struct SecretSearch {
  /// Names of folders and files that hold secrets by their purpose: the keys of a server and of its backups.
  static let keepers: Set<String> = ["keys"]

  private var secrets: [(name: String, forms: [Data])] = []
  /// The number of secrets.
  var count: Int { secrets.count }

  /// Adds a secret. Of a token, its signature and the secret within it count on their own as well.
  mutating func add(_ name: String, _ secret: String) {
    precondition(secret.utf8.count >= 8, "a secret is longer than what may occur by chance")
    secrets.append((name, Self.forms(of: secret).map { Data($0.utf8) }))
    let parts = secret.split(separator: ".")
    guard parts.count == 3, let signature = parts.last, signature.utf8.count > 20 else { return }
    secrets.append(("the signature of " + name, [Data(signature.utf8)]))
    let padded = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    let text = padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)
    guard let payload = Data(base64Encoded: text),
      let claims = try? JSONSerialization.jsonObject(with: payload) as? [String: Any],
      let inner = claims["jti"] as? String
    else { return }
    add("the secret in " + name, inner)
  }

  /// The files below a folder that hold a secret: the file and the name of the secret.
  func findings(in folder: String) -> [String] {
    guard let files = FileManager.default.enumerator(atPath: folder) else { return ["\(folder) cannot be read"] }
    var found: [String] = []
    for case let path as String in files {
      guard Self.keepers.isDisjoint(with: path.split(separator: "/").map(String.init)),
        let data = FileManager.default.contents(atPath: folder + "/" + path), !data.isEmpty
      else { continue }
      for (name, forms) in secrets where forms.contains(where: { data.range(of: $0) != nil }) {
        found.append("\(path): \(name)")
      }
    }
    return found.sorted()
  }

  /// The secret itself, percent-encoded, in hexadecimal digits, and in Base64 at each of the three alignments.
  private static func forms(of secret: String) -> [String] {
    let bytes = Array(secret.utf8), hex = bytes.map { String(format: "%02x", $0) }.joined()
    var forms = [secret, hex, hex.uppercased()]
    if let encoded = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics) { forms.append(encoded) }
    for offset in 0..<3 {
      let text = (Data(repeating: 0, count: offset) + bytes).base64EncodedString()
      // Characters that depend on neighbours are left out.
      let core = text.prefix((offset + bytes.count) * 8 / 6).dropFirst((offset * 8 + 5) / 6)
      forms += [String(core), String(core).replacing("+", with: "-").replacing("/", with: "_")]
    }
    return Array(Set(forms))
  }
}
