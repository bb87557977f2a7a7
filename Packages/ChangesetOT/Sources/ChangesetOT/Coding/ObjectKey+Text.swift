import ByteCoding
public import DataModel
import FoundationEssentials

extension ObjectKey {
  /// The key as Base64 text, the form of `pk` in error messages of the server: type code, then the value, a string in
  /// place.
  ///
  ///     ObjectKey.int(5).encodedText     // "AQU="
  public var encodedText: String {
    var writer = ByteWriter()
    writer.write(self)
    return Data(writer.bytes).base64EncodedString()
  }

  /// The key of a text in the form of ``encodedText``.
  ///
  /// - Throws: ``ChangesetDecodingError`` when the text is not Base64 or its bytes are not exactly one key.
  public init(encodedText text: String) throws(ChangesetDecodingError) {
    guard let bytes = Data(base64Encoded: text) else {
      throw ChangesetDecodingError(.invalidKeyText, position: 0, instruction: 0)
    }
    var reader = ChangesetReader(Array(bytes))
    self = try reader.objectKey(inlineStrings: true)
    guard reader.input.isAtEnd else {
      throw ChangesetDecodingError(.invalidKeyText, position: reader.position, instruction: 0)
    }
  }
}
