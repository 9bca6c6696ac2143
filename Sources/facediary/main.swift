import Commands

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

exit(await Program.run(Array(CommandLine.arguments.dropFirst())))
