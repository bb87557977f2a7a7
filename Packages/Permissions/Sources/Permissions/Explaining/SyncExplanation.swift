/// The answer to "is this object on the devices of this user, and why?".
///
/// Servers make it: `SyncUser.explainObject` asks one, `realm-object-server explain` answers beside one.
///
///     let answer = try await user.explainObject(ofType: "Room", forPrimaryKey: "secret", inRealmAt: url)
///     answer.verdict                              // notReadable
///     answer.sentence                             // Room["secret"] is not for user 'carol', who may not read it
///     answer.steps.filter(\.decides).map(\.text)  // [ "reading the object: refused at object level: …" ]
public struct SyncExplanation: Hashable, Codable, Sendable {
  /// The outcome in a word. The raw values are stable: they are what the HTTP API answers.
  public enum Verdict: String, Hashable, Codable, Sendable, CaseIterable {
    /// A device holds the object.
    case held
    /// A device is to hold the object, and has not downloaded it, or its newest state, yet.
    case notYetDownloaded
    /// A query selects the object, and its LIMIT or DISTINCT cuts it off.
    case cutOff
    /// No subscription selects the object, and nothing that a device holds links to it.
    case notSelected
    /// The user may read the object, and not subscribe to its class; nothing that a device holds links to it.
    case notSubscribable
    /// The user may not read the object.
    case notReadable
    /// There is no such object; for users who ask about themselves: none that they may read.
    case absent
    /// The user has no device that syncs the realm by queries.
    case noDevice
  }

  /// The part of the system that a step is about. The raw values are stable.
  public enum Subject: String, Hashable, Codable, Sendable, CaseIterable {
    /// The path of the realm: grants and access tokens.
    case realm
    /// The object itself.
    case object
    /// The permissions inside the realm.
    case permission
    /// One device of the user.
    case device
    /// One subscription of a device.
    case subscription
    /// The way over links or an INCLUDE by which a device holds the object.
    case link
    /// The versions that a device has downloaded.
    case progress
  }

  /// One fact of the explanation.
  public struct Step: Hashable, Codable, Sendable {
    /// The part of the system that the fact is about.
    public var subject: Subject
    /// The fact as a sentence without a full stop.
    public var text: String
    /// Whether the verdict rests on it.
    public var decides: Bool

    /// A fact.
    public init(_ subject: Subject, _ text: String, decides: Bool = false) {
      self.subject = subject
      self.text = text
      self.decides = decides
    }
  }

  /// The outcome in a word.
  public var verdict: Verdict
  /// The outcome as a sentence without a full stop.
  public var sentence: String
  /// The facts, in the order in which the server looks at them; those of a device follow the step of the device.
  public var steps: [Step]

  /// An explanation with all its parts.
  public init(_ verdict: Verdict, _ sentence: String, steps: [Step]) {
    self.verdict = verdict
    self.sentence = sentence
    self.steps = steps
  }
}

extension SyncExplanation: CustomStringConvertible {
  /// The sentence, and a line for each step; those that decide begin with `*`.
  public var description: String {
    ([sentence] + steps.map { "\($0.decides ? "*" : " ") \($0.subject.rawValue): \($0.text)" }).joined(separator: "\n")
  }
}
