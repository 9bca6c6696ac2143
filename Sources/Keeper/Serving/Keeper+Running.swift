package import Entries
package import Requests

extension Keeper {
  /// Runs a request on the open vault.
  package func run<R: VaultServed>(
    _ request: R, items: () throws -> ImportItem? = { nil },
    entry: (Entry) throws -> Void = { _ in }
  ) throws -> R.Answer {
    try request.begin(on: try vault()).finish(items: items, entry: entry)
  }
}
