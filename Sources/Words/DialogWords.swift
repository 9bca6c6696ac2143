package import CommandLine

/// Two words that a window shows beside the dialog that it asks with: a dialog of another program cannot show them.
package enum DialogWords {
  /// The variable by which a window gives them to its commands.
  package static let variable = "FACEDIARY_DIALOG_WORDS"

  /// - Parameter bytes: two random ones; each tells one of 64 words.
  package static func pair(_ bytes: [UInt8], in language: Language) -> String {
    let words = language == .japanese ? japanese : english
    return bytes.prefix(2).map { words[Int($0) % words.count] }.joined(
      separator: language == .japanese ? "・" : " ")
  }

  private static let english = """
    acorn amber anchor apple arrow autumn badger bamboo basil beacon birch bridge button canyon \
    castle cedar cherry cinder clover cobalt copper coral cotton crane dragon ember falcon fern \
    forest garden ginger granite harbor hazel indigo island ivory jasmine juniper kettle lantern \
    lemon linen lotus maple marble meadow nutmeg olive opal otter pebble pepper pillow quartz \
    raven river saffron silver sparrow thistle tulip velvet willow
    """.split(separator: " ").map(String.init)

  private static let japanese = """
    あさがお いちご うさぎ えだまめ おにぎり かぼちゃ きつね くじら けむり こおり さくら しまうま すいか せんべい \
    そよかぜ たけのこ ちょうちん つばめ てぶくろ とんぼ なのはな にわとり ぬりえ ねこ のはら はなび ひまわり ふうりん \
    へちま ほたる まつり みかん むらさき めだか もみじ やかん ゆきだるま よぞら らくだ りんご るりいろ れんげ ろうそく \
    わかめ あめだま いるか うちわ えんぴつ おりがみ かえで きんもくせい くるみ けやき こうもり さざなみ しゃぼんだま \
    すずめ せみ そらまめ たんぽぽ ちくわ つくし てんとうむし どんぐり
    """.split(separator: " ").map(String.init)
}
