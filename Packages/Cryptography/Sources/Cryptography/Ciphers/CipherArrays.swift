/// The forms of a cipher that take and give arrays, in terms of those that work on raw bytes.
enum CipherArrays {
  /// A cipher on raw bytes: the output, then three inputs, of which the last may be empty. Returns the number of bytes
  /// that it wrote.
  typealias Operation =
    (UnsafeMutableRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer)
    throws(CryptographyError) -> Int

  /// The array that an operation on other arrays fills.
  ///
  /// - Parameters:
  ///   - count: how many bytes the operation may write at most.
  ///   - operation: writes from the beginning, and returns how many bytes are to be kept.
  static func filling(
    _ count: Int, from first: [UInt8], _ second: [UInt8], _ third: [UInt8] = [], _ operation: Operation
  ) throws(CryptographyError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    let result = output.withUnsafeMutableBytes { output in
      first.withUnsafeBytes { first in
        second.withUnsafeBytes { second in
          third.withUnsafeBytes { third in
            Result { () throws(CryptographyError) in try operation(output, first, second, third) }
          }
        }
      }
    }
    output.removeLast(count - (try result.get()))
    return output
  }
}
