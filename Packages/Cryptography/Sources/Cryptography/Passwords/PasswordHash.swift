/// The stored form: `$scrypt$ln=15,r=8,p=1$<salt>$<key>`, both in unpadded URL Base64.
struct PasswordHash: Hashable, Sendable, CustomStringConvertible {
  var parameters: PasswordHasher.Parameters
  var salt: [UInt8]
  var key: [UInt8]

  init(parameters: PasswordHasher.Parameters, salt: [UInt8], key: [UInt8]) {
    self.parameters = parameters
    self.salt = salt
    self.key = key
  }

  /// Reads a stored string.
  init(_ text: String) throws(CryptographyError) {
    let refusal = CryptographyError(
      .malformedPasswordHash, "a stored password hash cannot be read: the user must set a new password")
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
      let salt = try? Base64.url.decode(parts[3]), let key = try? Base64.url.decode(parts[4]),
      (8...64).contains(salt.count), (16...64).contains(key.count)
    else { throw refusal }
    var numbers: [Int] = []
    let settings = parts[2].split(separator: ",", omittingEmptySubsequences: false)
    guard settings.count == 3 else { throw refusal }
    for (setting, name) in zip(settings, ["ln=", "r=", "p="]) {
      guard setting.hasPrefix(name), setting.utf8.count <= name.utf8.count + 3,
        let number = Int(setting.dropFirst(name.count))
      else { throw refusal }
      numbers.append(number)
    }
    guard numbers.count == 3 else { throw refusal }
    parameters = .init(logarithmicCost: numbers[0], blockSize: numbers[1], parallelization: numbers[2])
    guard parameters.isAcceptable else { throw refusal }
    self.salt = salt
    self.key = key
  }

  var description: String {
    "$scrypt$ln=\(parameters.logarithmicCost),r=\(parameters.blockSize),p=\(parameters.parallelization)"
      + "$\(Base64.url.encode(salt))$\(Base64.url.encode(key))"
  }
}
