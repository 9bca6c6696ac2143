internal import CommandLine
internal import Platform
internal import Words

/// A browser that a person has, started with a profile of its own that goes with the window: no history, no extensions, nothing saved.
package struct WebBrowser {
  enum Kind { case chromium, firefox, other }

  /// Looked for in this order.
  private static let known = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge",
    "brave-browser", "firefox", "firefox-esr",
  ]

  let words: [String]
  let kind: Kind

  /// - Parameter named: a command; nil for the first one that is known and there.
  /// - Throws: ``Failure`` `notFound`; ``ChildProcessError``.
  package init(named: String?) throws {
    if let named {
      words = try ShellWords.split(named)
      let program = words.first ?? ""
      guard ThisProcess.installed(program) != nil else {
        throw ChildProcessError(.notFound, program: program)
      }
    } else {
      guard let found = Self.known.first(where: { ThisProcess.installed($0) != nil }) else {
        throw Failure(.notFound, WindowMessage.noBrowser, hint: WindowMessage.nameBrowser)
      }
      words = [found]
    }
    let name = FileSystem.name(of: words[0])
    kind =
      ["chrom", "edge", "brave"].contains { name.contains($0) }
      ? .chromium : name.contains("firefox") ? .firefox : .other
  }

  /// Chromium's name for a window that leaves nothing behind is not Edge's.
  private var isEdge: Bool { FileSystem.name(of: words[0]).contains("edge") }

  /// What is started.
  ///
  /// - Parameters:
  ///   - page: the file that leads to the address. The address itself stands in no argument, which everybody may read.
  ///   - profile: a directory of its own.
  ///   - language: the code of the language that its own controls speak.
  func command(opening page: String, profile: String, language: String) -> [String] {
    switch kind {
    case .chromium:
      words + Self.chromium + [
        isEdge ? "--inprivate" : "--incognito", "--lang=" + language, "--user-data-dir=" + profile,
        "--app=file://" + page,
      ]
    case .firefox:
      words + ["--no-remote", "--new-instance", "--profile", profile, "file://" + page]
    case .other: words + [page]
    }
  }

  /// What the browser writes of a crash, which may hold what was on the page, and what else it keeps beside its profile, stays in the
  /// window's directory in memory.
  func variables(for directory: String) throws -> [String] {
    let folder = directory + "/browser"
    try FileSystem.makeDirectory(folder)
    // A socket that Chromium makes among its temporary files has a path of at most 107 bytes.
    let isShort = folder.utf8.count <= 50
    return [
      "env", "BREAKPAD_DUMP_LOCATION=" + folder, "CHROME_CONFIG_HOME=" + folder,
      "MOZ_CRASHREPORTER_DISABLE=1",
    ] + (isShort ? ["TMPDIR=" + folder] : [])
  }

  /// Nothing is kept, sent or fetched beside the page.
  private static let chromium = [
    "--no-first-run", "--no-default-browser-check", "--disable-extensions",
    "--disable-sync", "--disable-background-networking", "--disable-component-update",
    "--disable-breakpad", "--disable-crash-reporter", "--disable-domain-reliability",
    "--disable-client-side-phishing-detection", "--disable-default-apps", "--no-pings",
    "--password-store=basic", "--disk-cache-size=1", "--media-cache-size=1",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,"
      + "InterestFeedContentSuggestions,CertificateTransparencyComponentUpdater",
  ]

  /// The settings of a new profile of Firefox.
  static let firefoxSettings = [
    "browser.privatebrowsing.autostart": "true", "browser.shell.checkDefaultBrowser": "false",
    "browser.sessionstore.resume_from_crash": "false", "browser.cache.disk.enable": "false",
    "browser.formfill.enable": "false", "signon.rememberSignons": "false",
    "toolkit.telemetry.enabled": "false", "datareporting.policy.dataSubmissionEnabled": "false",
    "datareporting.healthreport.uploadEnabled": "false", "app.update.enabled": "false",
    "extensions.enabledScopes": "0", "layout.spellcheckDefault": "0",
    "browser.aboutwelcome.enabled": "false", "network.prefetch-next": "false",
    "network.dns.disablePrefetch": "true", "places.history.enabled": "false",
  ].sorted { $0.key < $1.key }
    .map { "user_pref(\"\($0.key)\", \($0.value));\n" }.joined()
}
