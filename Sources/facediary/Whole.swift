import Commands
internal import Dates
import KeeperProcess
internal import Words

extension KeeperSide {
  /// The program that people use: commands on one side, the keeper on the other. Only this module sees both.
  static let whole = KeeperSide(serve: { await KeeperMain.run($0) }, demo: Demo.run)
}
