import Testing

@testable import CommandLine

@Suite struct TextTests {
  @Test func `a translation may take values in another order, and terms are translated, too`() {
    let other = Language(
      code: "xx", translations: ["{} of {}": "{2}/{1}", "gate": "GATE", "at {}": "AT {}"])
    let text: Text = "\(3) of \(term: "gate")"
    #expect(text.string(in: .english) == "3 of gate")
    #expect(text.string(in: other) == "GATE/3")
    // What the owner wrote is not.
    let plain: Text = "at \("gate")"
    #expect(plain.string(in: other) == "AT gate")
  }
}
