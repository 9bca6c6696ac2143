internal import Entries

extension ZonedTime {
  /// `2026-03-02T13:30:00+09:00`; `1880-03-02T13:30:00+09:18:59` where the offset has seconds, as local times of before 1900 do.
  ///
  /// Written in place: a list of 100,000 entries needs 300,000 of these, and joining parts took half of its time.
  package var iso: String {
    let date = CivilDate(number: day)
    let (minutes, seconds) = abs(Int(offset)).quotientAndRemainder(dividingBy: 60)
    let second = secondOfDay
    var numbers = [
      (date.year, 4, UInt8(ascii: "-")), (date.month, 2, UInt8(ascii: "-")),
      (date.day, 2, UInt8(ascii: "T")), (second / 3600, 2, UInt8(ascii: ":")),
      (second / 60 % 60, 2, UInt8(ascii: ":")),
      (second % 60, 2, UInt8(ascii: offset < 0 ? "-" : "+")),
      (minutes / 60, 2, UInt8(ascii: ":")), (minutes % 60, 2, 0),
    ]
    if seconds != 0 {
      numbers[numbers.count - 1].2 = UInt8(ascii: ":")
      numbers.append((seconds, 2, 0))
    }
    return unsafe String(unsafeUninitializedCapacity: 28) { out in
      var place = 0
      for (number, width, mark) in numbers {
        var rest = number
        for digit in stride(from: width - 1, through: 0, by: -1) {
          unsafe out[place + digit] = UInt8(ascii: "0") + UInt8(rest % 10)
          rest /= 10
        }
        place += width
        if mark != 0 {
          unsafe out[place] = mark
          place += 1
        }
      }
      return place
    }
  }

  /// Reads what ``iso`` writes without seconds in the offset, and `Z` for none; nil for everything else, which may be a
  /// date in another form.
  init?(iso text: String) {
    let bytes = text.utf8
    guard bytes.count == 20 || bytes.count == 25 else { return nil }
    var fields: [Int] = []
    var number = 0
    var sign = 1
    for (form, byte) in zip(Self.isoForm, bytes) {
      switch (form, byte) {
      case (UInt8(ascii: "0"), UInt8(ascii: "0")...UInt8(ascii: "9")):
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
        continue
      case (UInt8(ascii: "+"), _) where (byte == UInt8(ascii: "Z")) != (bytes.count == 20):
        return nil
      case (UInt8(ascii: "+"), UInt8(ascii: "Z")): break
      case (UInt8(ascii: "+"), UInt8(ascii: "-")): sign = -1
      default: guard form == byte, form != UInt8(ascii: "0") else { return nil }
      }
      fields.append(number)
      number = 0
    }
    // Of the form with an offset, its minutes; of the other nothing stands after the Z.
    fields += bytes.count == 25 ? [number] : [0, 0]
    guard fields.count == 8,
      let date = CivilDate(year: fields[0], month: fields[1], day: fields[2]),
      fields[3] < 24, fields[4] < 60, fields[5] < 60, fields[6] <= 18, fields[7] < 60
    else { return nil }
    let offset = sign * (fields[6] * 60 + fields[7]) * 60
    let second = (fields[3] * 60 + fields[4]) * 60 + fields[5]
    try? self.init(seconds: Int64(date.number * 86_400 + second - offset), offset: Int32(offset))
  }

  /// 0 stands for a digit.
  private static let isoForm = Array("0000-00-00T00:00:00+00:00".utf8)

  /// `13:30`
  package var clock: String {
    padded(secondOfDay / 3600, 2) + ":" + padded(secondOfDay / 60 % 60, 2)
  }

  /// `2026-03-02 13:30`
  package var dayAndClock: String { CivilDate(number: day).text + " " + clock }
}

/// An instant by the clock here: `2026-03-02 13:30`.
package func localTime(_ seconds: Int64) -> String {
  guard let time = try? ZonedTime(seconds: seconds, offset: LocalZone().offset(at: seconds)) else {
    return utc(seconds)
  }
  return time.dayAndClock
}

/// The day of an instant here: `2026-03-02`.
package func localDay(_ seconds: Int64) -> String { String(localTime(seconds).prefix(10)) }

/// An instant in UTC: `2026-03-02T04:30:00+00:00`.
package func utc(_ seconds: Int64) -> String {
  (try? ZonedTime(seconds: seconds, offset: 0))?.iso ?? "1970-01-01T00:00:00+00:00"
}
