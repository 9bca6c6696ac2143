internal import Dates
internal import FaceMatching
internal import Formats
internal import Markdown
internal import Platform
internal import Words

/// Score histograms and the DET curve as one SVG: axes, units, legend, light and dark.
struct CalibrationPlot {
  private let report: Calibration
  private let chosen: ChosenVectors.Scores?
  private let model: String?

  init(_ found: GateCalibration, model: String?) {
    report = found.report
    chosen = found.chosen?.withGuard
    self.model = model
  }

  var svg: String {
    let title = "Face scores" + (model.map { " of \($0)" } ?? "")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 420" font-family="sans-serif" font-size="13">
      <title>\(HTMLText.escaped(title))</title>
      <style>
      svg { color: #1a1a1a } .paper { fill: #fff }
      .genuine { fill: #1668b8; stroke: #1668b8 } .impostor { fill: #c4511a; stroke: #c4511a }
      .bar.genuine, .bar.impostor { fill-opacity: .45; stroke: none }
      .line.genuine, .line.impostor { fill: none; stroke-width: 2 }
      .axis { stroke: currentColor; stroke-width: 1 } .grid { stroke: currentColor; stroke-opacity: .15 }
      text { fill: currentColor; stroke: none }
      @media screen and (prefers-color-scheme: dark) {
      svg { color: #e8e8e8 } .paper { fill: #16181c } .genuine { fill: #62a8ea; stroke: #62a8ea } .impostor { fill: #f08a52; stroke: #f08a52 }
      }
      </style>
      <rect class="paper" width="960" height="420"/>
      \(histograms)
      \(det)
      </svg>

      """
  }

  /// To two places; adding nothing takes a sign from zero.
  private func number(_ value: Double) -> String {
    let value = (value * 100).rounded() / 100 + 0
    return value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  // MARK: Histograms

  private var histograms: String {
    let genuine = counts(report.genuineScores)
    let impostor = counts(report.impostorScores)
    let scores = genuine.map(\.score) + impostor.map(\.score)
    guard let low = scores.min(), let high = scores.max(), high > low else { return "" }
    let columns = 60
    func columnsOf(_ list: [(score: Double, count: Int)]) -> [Double] {
      var bars = [Double](repeating: 0, count: columns)
      let total = Double(max(1, list.reduce(0) { $0 + $1.count }))
      for (score, count) in list {
        bars[min(columns - 1, Int((score - low) / (high - low) * Double(columns)))] +=
          Double(count) / total
      }
      return bars
    }
    let bars = [("impostor", columnsOf(impostor)), ("genuine", columnsOf(genuine))]
    let top = bars.flatMap(\.1).max() ?? 1
    let (x0, y0, width, height) = (70.0, 350.0, 370.0, 280.0)
    var parts: [String] = []
    for (name, values) in bars {
      for (column, value) in values.enumerated() where value > 0 {
        let bar = value / top * height
        parts.append(
          "<rect class=\"bar \(name)\" x=\"\(number(x0 + Double(column) / Double(columns) * width))\" y=\"\(number(y0 - bar))\" width=\"\(number(width / Double(columns)))\" height=\"\(number(bar))\"/>"
        )
      }
    }
    for score in Self.ticks(low...high) {
      let x = x0 + (score - low) / (high - low) * width
      parts.append(
        "<line class=\"axis\" x1=\"\(number(x))\" x2=\"\(number(x))\" y1=\"350\" y2=\"354\"/><text x=\"\(number(x))\" y=\"370\" text-anchor=\"middle\">\(number(score))</text>"
      )
    }
    for share in Self.ticks(0...(top * 100)) {
      let y = y0 - share / (top * 100) * height
      parts.append(
        "<line class=\"grid\" x1=\"\(x0)\" x2=\"\(x0 + width)\" y1=\"\(number(y))\" y2=\"\(number(y))\"/><text x=\"\(x0 - 6)\" y=\"\(number(y + 4))\" text-anchor=\"end\">\(number(share))</text>"
      )
    }
    if let suggested = report.suggested {
      let x = number(x0 + (suggested - low) / (high - low) * width)
      parts.append(
        "<line class=\"axis\" stroke-dasharray=\"4 3\" x1=\"\(x)\" x2=\"\(x)\" y1=\"60\" y2=\"350\"/><text x=\"\(x)\" y=\"54\" text-anchor=\"middle\">threshold \(rounded(suggested))</text>"
      )
    }
    return parts.joined(separator: "\n") + """

      <line class="axis" x1="70" x2="440" y1="350" y2="350"/><line class="axis" x1="70" x2="70" y1="70" y2="350"/>
      <text x="255" y="398" text-anchor="middle">cosine similarity (higher is closer)</text>
      <text x="18" y="210" text-anchor="middle" transform="rotate(-90 18 210)">share of pairs, %</text>
      <rect class="bar genuine" x="80" y="18" width="12" height="12"/><text x="98" y="29">one person (\(report.genuine))</text>
      <rect class="bar impostor" x="240" y="18" width="12" height="12"/><text x="258" y="29">two people (\(report.impostor))</text>
      """
  }

  /// Four to eight round numbers in a range.
  static func ticks(_ range: ClosedRange<Double>) -> [Double] {
    let span = range.upperBound - range.lowerBound
    guard span > 0, span.isFinite else { return [] }
    let power = Mathematics.power(10, Mathematics.log10(span / 4).rounded(.down))
    let step = [5.0, 2.5, 2, 1].lazy.map { $0 * power }.first { span / $0 >= 4 } ?? power
    let first = (range.lowerBound / step).rounded(.up)
    let last = (range.upperBound / step).rounded(.down)
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  private func counts(_ histogram: ScoreHistogram) -> [(score: Double, count: Int)] {
    var before = 0
    return histogram.descending().map { bin, above in
      defer { before = above }
      return (Double(bin) * ScoreHistogram.resolution - 1, above - before)
    }
  }

  // MARK: DET

  /// Both rates on axes of normal deviates: scores that are normal make a straight line.
  private var det: String {
    let ticks = [0.0001, 0.001, 0.01, 0.05, 0.2, 0.5]
    let (x0, y0, size) = (560.0, 350.0, 280.0)
    let (from, to) = (Self.probit(0.00005), Self.probit(0.6))
    func place(_ rate: Double) -> Double {
      (Self.probit(min(max(rate, 0.00005), 0.6)) - from) / (to - from) * size
    }
    var parts: [String] = []
    for tick in ticks {
      let at = place(tick)
      let name = number(tick * 100) == "0.01" ? "0.01" : number(tick * 100)
      parts.append(
        "<line class=\"grid\" x1=\"\(number(x0 + at))\" x2=\"\(number(x0 + at))\" y1=\"70\" y2=\"350\"/><line class=\"grid\" x1=\"560\" x2=\"840\" y1=\"\(number(y0 - at))\" y2=\"\(number(y0 - at))\"/><text x=\"\(number(x0 + at))\" y=\"370\" text-anchor=\"middle\">\(name)</text><text x=\"552\" y=\"\(number(y0 - at + 4))\" text-anchor=\"end\">\(name)</text>"
      )
    }
    let points = report.points.map {
      "\(number(x0 + place($0.fmr))),\(number(y0 - place($0.fnmr)))"
    }
    let eer = place(report.eer)
    // The share of owners that vectors made to pass open, in place of the false match rate.
    let attacked = report.points.compactMap { point in
      (chosen?.share(at: point.threshold).share).map {
        "\(number(x0 + place($0))),\(number(y0 - place(point.fnmr)))"
      }
    }
    let legend =
      chosen == nil
      ? ""
      : "<polyline class=\"line impostor\" points=\"\(attacked.joined(separator: " "))\"/><line class=\"line impostor\" x1=\"568\" x2=\"584\" y1=\"44\" y2=\"44\"/><text x=\"588\" y=\"48\">opened by vectors made to pass</text>"
    return parts.joined(separator: "\n") + """

      <polyline class="line genuine" points="\(points.joined(separator: " "))"/>
      \(legend)
      <circle class="impostor" cx="\(number(x0 + eer))" cy="\(number(y0 - eer))" r="4"/>
      <line class="axis" x1="560" x2="840" y1="350" y2="350"/><line class="axis" x1="560" x2="560" y1="70" y2="350"/>
      <text x="700" y="398" text-anchor="middle">false match rate, % (normal deviates)</text>
      <text x="508" y="210" text-anchor="middle" transform="rotate(-90 508 210)">false non-match rate, %</text>
      <circle class="impostor" cx="576" cy="24" r="4"/><text x="588" y="29">EER \(percent(report.eer)) % at \(rounded(report.eerThreshold))</text>
      """
  }

  /// The normal deviate with `rate` below it. (Acklam's rational approximation, error under 1.2e-9.)
  private static func probit(_ rate: Double) -> Double {
    let a = [
      -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.3577518672690,
      -30.66479806614716, 2.506628277459239,
    ]
    let b = [
      -54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972,
      -13.28068155288572,
    ]
    let c = [
      -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734,
      4.374664141464968, 2.938163982698783,
    ]
    let d = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416]
    if rate < 0.02425 || rate > 0.97575 {
      let tail = rate < 0.5 ? rate : 1 - rate
      let q = (-2 * Mathematics.log(tail)).squareRoot()
      let value = c.reduce(0) { $0 * q + $1 } / (d.reduce(0) { $0 * q + $1 } * q + 1)
      return rate < 0.5 ? value : -value
    }
    let q = rate - 0.5
    let r = q * q
    return a.reduce(0) { $0 * r + $1 } * q / (b.reduce(0) { $0 * r + $1 } * r + 1)
  }
}
