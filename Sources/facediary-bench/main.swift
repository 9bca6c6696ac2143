internal import Foundation

/// `facediary-bench [startup|commands|vault|sealing|similarity|growth|sync|window] [--entries N] [--place PLACE] [--json] [--compare OLD.json]`: how fast it is here, with
/// the machine's own limit beside each figure, measured in the same run.
do {
  print(try Bench(Array(CommandLine.arguments.dropFirst())).run())
} catch {
  FileHandle.standardError.write(Data("facediary-bench: \(error)\n".utf8))
  exit(2)
}
