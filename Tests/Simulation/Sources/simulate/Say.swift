import Foundation

/// Prints a line at once, also into a file or a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
