internal import Client
internal import CommandLine
internal import Dates
internal import Entries
internal import Formats
internal import Requests
internal import Words

/// `completion`: what a shell needs to complete our words, and the hidden word it then asks.
@MainActor
enum CompletionCommand {
  /// How a shell's script asks: `__complete WORDS… CURRENT`. Never asks anybody, and says nothing of a diary
  /// that is not open.
  static let word = "__complete"

  static let declaration = Command<Invocation>(
    "completion", Form("bash"), Form("zsh"), Form("fish"),
    summary: CommandHelp.completion,
    details: CommandHelp.completionDetails
  ) { invocation in
    guard let script = scripts[invocation.verb] else { return .written(exitCode: 2) }
    try invocation.output.write(script)
    return .written()
  }

  private static let scripts = [
    "bash": """
    # bash completion for facediary
    _facediary() {
      local current="${COMP_WORDS[COMP_CWORD]}" each
      local words=("${COMP_WORDS[@]:1:COMP_CWORD-1}")
      local found=()
      mapfile -t found < <(facediary __complete "${words[@]}" "$current" 2>/dev/null)
      COMPREPLY=()
      if [ "${found[0]}" = ":file" ]; then
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      else
        for each in "${found[@]}"; do
          each="${each%%$'\\t'*}"
          [[ "$each" == "$current"* ]] && COMPREPLY+=("$(printf '%q' "$each")")
        done
      fi
    }
    complete -F _facediary facediary

    """,
    "zsh": """
    #compdef facediary
    # zsh completion for facediary
    _facediary() {
      local -a found
      local line
      found=("${(@f)$(facediary __complete "${(@)words[2,CURRENT-1]}" "${words[CURRENT]}" 2>/dev/null)}")
      if [[ "${found[1]}" == ":file" ]]; then
        _files
      else
        local -a described
        for line in $found; do
          [[ -n "$line" ]] && described+=("${${line%%$'\\t'*}//:/\\\\:}:${line#*$'\\t'}")
        done
        _describe facediary described
      fi
    }
    # Autoloaded from $fpath it is called at once; sourced it is registered.
    if [ "$funcstack[1]" = "_facediary" ]; then
      _facediary "$@"
    else
      compdef _facediary facediary
    fi

    """,
    "fish": """
    # fish completion for facediary
    function __facediary_complete
      set -l words (commandline -opc)
      set -l found (facediary __complete $words[2..-1] (commandline -ct) 2>/dev/null)
      if test "$found" = ":file"
        __fish_complete_path (commandline -ct)
      else
        printf '%s\\n' $found
      end
    end
    complete -c facediary -f -a '(__facediary_complete)'

    """,
  ]

  /// Answers a shell: candidates, one a line, each with a tab and what it is; `:file` for file names.
  static func complete(
    _ words: [String], of list: CommandList, _ environment: [String: String]
  ) -> String {
    let before = Array(words.dropLast())
    let current = words.last ?? ""
    let command = before.first { !$0.hasPrefix("-") }
    guard let command, let declaration = list[command] else {
      let options = current.hasPrefix("-") ? Options.global.map(\.spec) : []
      return lines(
        list.commands.map { ($0.name, $0.summary) } + options.map { ($0.name, $0.help) },
        current, environment)
    }
    let options = (declaration.options + Options.global).map(\.spec)
    // --name=value completes as a value, too.
    if let last = before.last,
      let option = options.first(where: { $0.name == last || $0.short == last }),
      option.value != nil
    {
      return values(option.completion, current, before, list, environment)
    }
    if current.hasPrefix("-") {
      return lines(options.map { ($0.name, $0.help) }, current, environment)
    }
    var words: [String] = []
    var skip = false
    for word in before.drop(while: { $0 != command }).dropFirst() {
      if skip {
        skip = false
      } else if word.hasPrefix("-") {
        skip = options.first { $0.name == word || $0.short == word }?.value != nil
      } else {
        words.append(word)
      }
    }
    return values(
      declaration.completion(at: words.count, after: words), current, words, list, environment)
  }

  private static func lines(
    _ candidates: [(String, any Message)], _ current: String, _ environment: [String: String]
  ) -> String {
    let language = Invocation.language(of: environment)
    return candidates.filter { $0.0.hasPrefix(current) }
      .map { "\($0.0)\t\($0.1.text(in: language))\n" }.joined()
  }

  /// - Parameter words: those before, without options.
  private static func values(
    _ completion: Completion, _ current: String, _ words: [String], _ list: CommandList,
    _ environment: [String: String]
  ) -> String {
    switch completion {
    case .none: return ""
    case .file: return ":file\n"
    case .words(let words):
      return words.filter { $0.hasPrefix(current) }.map { $0 + "\n" }.joined()
    case .attachment: return attachments(of: words.first, current, list, environment)
    case .named: break
    }
    // Only a running session is asked.
    guard
      let invocation = try? Invocation(
        command: word, arguments: Arguments(), words: [], environment: environment, list: list),
      let session = try? KeeperConnection(session: invocation.location)
    else { return "" }
    let found = (try? names(completion, current, session)) ?? []
    return found.filter { current.isEmpty || SearchQuery.begins($0.0, with: current) }
      .map { "\(oneLine($0.0))\t\(oneLine($0.1))\n" }.joined()
  }

  /// The names of an entry's attachments.
  private static func attachments(
    of id: String?, _ current: String, _ list: CommandList, _ environment: [String: String]
  ) -> String {
    guard let id,
      let invocation = try? Invocation(
        command: word, arguments: Arguments(), words: [], environment: environment, list: list),
      let session = try? KeeperConnection(session: invocation.location),
      let entry = try? session.entry(EntryReference(id))
    else { return "" }
    return entry.attachments.filter { $0.name.hasPrefix(current) }
      .map { "\(oneLine($0.name))\t\(byteCount($0.size))\n" }.joined()
  }

  private static func oneLine(_ text: String) -> String {
    visible(String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
  }

  private static func names(
    _ completion: Completion, _ current: String, _ session: KeeperConnection
  ) throws -> [(String, String)] {
    switch completion {
    case .journal:
      return try session.run(ListNames()).journals.map { ($0.name, $0.emoji ?? "") }
    case .kind: return try session.run(ListNames()).kinds.map { ($0.name, $0.emoji) }
    case .tag:
      return try session.run(Tally(.tags)).map { ($0.name, String($0.count)) }
    case .template:
      return try session.run(ListTemplates()).map { ($0.name, String($0.body.prefix(30))) }
    case .entry, .trashed:
      var filter = EntryFilter()
      filter.trash = completion == .trashed
      var list = completion == .entry ? [("@last", "")] : []
      _ = try session.run(
        ListEntries(filter, limit: 100)
      ) {
        list.append(
          ($0.id.short, "\(CivilDate(number: $0.date.day).text) \($0.title ?? $0.preview ?? "")"))
      }
      // One that is older, once enough of it is typed.
      if current.count >= 4, !list.contains(where: { $0.0.hasPrefix(current) }),
        let entry = try? session.entry(.prefix(current))
      {
        list.append((entry.id.short, entry.title ?? entry.preview ?? ""))
      }
      return list
    default: return []
    }
  }
}
