import ChangesetOT

extension BadChangesetError {
  /// The error with the place that the offending instruction had before a merge carried its changeset over others.
  ///
  /// - Parameter changeset: the place of the changeset among those that were merged.
  func traced(through transformed: TransformedChangesets, changeset: Int) -> BadChangesetError {
    guard let instruction else { return self }
    var error = self
    error.instruction = transformed.source(ofIncoming: changeset, instruction: instruction)
    return error
  }

  /// The error with the byte at which the offending instruction begins.
  ///
  /// - Parameter changesets: the bytes of everything that was handed in.
  func located(in changesets: [ArraySlice<UInt8>]) -> BadChangesetError {
    guard position == nil, let instruction, changesets.indices.contains(changeset) else { return self }
    var error = self
    var reader = ChangesetReader(changesets[changeset])
    do {
      while try reader.next() != nil {
        guard reader.instructionCount <= instruction else {
          error.position = reader.instructionPosition
          break
        }
      }
    } catch {
      // A changeset that was refused for what it does had been decoded; without a position nothing is lost.
    }
    return error
  }
}
