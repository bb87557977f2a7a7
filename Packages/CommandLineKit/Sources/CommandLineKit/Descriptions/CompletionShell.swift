/// A shell that completes the words of command lines, and the script that teaches it a tool.
///
///     CompletionShell.bash.script(for: tool)   // for /usr/share/bash-completion/completions/tool
///
/// Scripts complete commands, options, and the values and arguments of kinds ``ValueKind/choice(_:)`` and
/// ``ValueKind/boolean``; names of files where the kind is ``ValueKind/path`` or ``ValueKind/text``; else nothing. They
/// run no program.
public enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The script for a tool, ending with a line break. The same tool always gives the same script.
  ///
  /// - Complexity: O(*c* · *o*), *c* = the number of commands, *o* = the options of one of them.
  public func script(for tool: Command) -> String {
    let points = CompletionPoint.all(of: tool)
    return switch self {
    case .bash: BashCompletion(tool.name, points).script
    case .zsh: ZshCompletion(tool.name, points).script
    case .fish: FishCompletion(tool, points).script
    }
  }

  /// The name of the script's file in the shell's folder for completions.
  public func fileName(of tool: String) -> String {
    switch self {
    case .bash: tool
    case .zsh: "_" + tool
    case .fish: tool + ".fish"
    }
  }
}
