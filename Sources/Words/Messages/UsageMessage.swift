package import CommandLine

/// What is said of a command line that cannot be taken.
package enum UsageMessage: Sendable {
  case unknownOption(String)
  case textAfterDashes
  case didYouMean(String)
  case takesNoValue(String)
  case needsValue(option: String, value: String)
  case givenTwice(String)
  case cannot(command: String, verb: String)
  case usage(String)
  case seeHelpOf(String)
  case cannotBe(option: String, value: String)
  case oneOf(String)
  case wantsNumberFrom(option: String, least: Int, value: String)
  case wantsNumberBetween(option: String, least: Int, most: Int, value: String)
  case noTerminal
  case secretEmpty, secretTooLong
  case passphraseNotText
  case passphraseSize
  case twoReadStandardInput(one: any Message, other: any Message)
  case nameFileForOne
  case homeNotSet
  case nameVaultAndDevice
  case noSuchRule(String)
  case emptyPath
  case unsetVariable
  case wantsRevision(String)
  case wantsDuration(option: String, value: String)
  case atMostTwelveHours(String)
  case wantsYear(String)
  case wantsRate(option: String, value: String)
  case noSuchWork(String)
  case worksKnown
  case unknownCommand(String)
  case helpListsCommands
  case needsYes(String)
  case contradict(one: String, other: String)
  case starsContradict
  case noHelpFor(String)
}
