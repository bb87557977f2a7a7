public import ChangesetOT

extension [AdapterInstruction] {
  /// The changeset of steps that make classes and objects anew, for a copy of a realm that has none of these objects.
  ///
  ///     try copy.edit { try $0.apply(steps.changeset(at: .zero)) }
  ///
  /// - Throws: ``AdapterError`` with code `badInstruction` for steps that need a state before them.
  /// - Complexity: O(*n*) in the steps.
  public func changeset(at time: OriginTimestamp) throws -> [UInt8] {
    var writer = InstructionWriter(base: nil)
    for step in self { try writer.add(step) }
    return Changeset(instructions: writer.instructions, origin: ChangesetOrigin(timestamp: time, file: .server))
      .encoded()
  }
}
