import Foundation
import Testing

@testable import Dates
@testable import Formats
@testable import Words

/// HTML as Markdown.
@Suite(.threads) struct MarkupTests {
  @Test(arguments: [
    ("a<b>b</b>c", "a**b**c"), ("<b> spaced </b>x", "**spaced** x"), ("<b></b>x", "x"),
    ("<b><b>twice</b></b>", "**twice**"), ("<i><b>both</b></i>", "***both***"),
    ("<b>never closed", "**never closed**"), ("</b></p></li>stray", "stray"),
    ("a &lt;b&gt; &amp; &eacute;&#233; &nope; &", "a \\<b> & éé \\&nope; &"),
    ("x < y > z <3", "x < y > z <3"), ("<a href=x>y", "[y](x)"), ("<a>y</a>", "y"),
    ("<a href='a (b) c'>t</a>", "[t](<a (b) c>)"), ("<a href=\"u\"><b>t</a></b>", "[**t**](u)"),
    ("<b>x<a href=u>y</b>z</a>", "**x[y](u)**z"), ("<!-- c -->x<!-- y", "x\\<!-- y"),
    ("<![CDATA[a<b>c]]>d", "a\\<b>cd"), ("<script>alert(1)</script>x<style>p</style>", "x"),
    ("<p>a</p><p></p><p>b</p>", "a\n\nb"), ("a<br><br>b", "a\n\nb"), ("<h3>t</h3>x", "### t\n\nx"),
    ("<ul><li>a<li>b</ul>", "- a\n- b"), ("<code>a`b\\c</code>", "`` a`b\\c ``"),
    ("<pre>a<a href=x>b\nc</pre>d</a>", "```\nab\nc\n```\n\nd"), ("<hr>x", "---\n\nx"),
    ("<img src='' alt=x>y", "y"), ("<img src=a.png />", "![](a.png)"),
    ("日本<strong>語</strong>の<em>本</em>", "日本**語**の*本*"),
    ("<div>a<div>b</div>c</div>", "a\nb\nc"),
    ("<p># no</p><p>- no</p><p>2. no</p>", "\\# no\n\n\\- no\n\n2\\. no"),
    // What a hostile reading found.
    ("<html><head><title>x</title><body><p>all my text</p></body></html>", "all my text"),
    ("<p>a</p><script>if(a<b){}</script><p>b</p><style>p > q", "a\n\nb\n\np > q"),
    ("<a href=u><div>card</div></a>", "[card](u)"), ("<a href=u><br>z</a>", "[z](u)"),
    ("<a href=u></a>x", "ux"), ("<iframe src=http://v/1></iframe>", "http://v/1"),
    (
      "<table><tr><td><p>A</p></td><td>1|2</td></tr><tr><td>c</td><td>d</td></tr></table>",
      "| A | 1\\|2 |\n| --- | --- |\n| c | d |"
    ),
    ("[a](b) ~~x~~ &amp;lt; t<br>===", "\\[a\\](b) \\~\\~x\\~\\~ \\&lt; t\n\\==="),
    ("<a href=u>a]b</a>", "[a\\]b](u)"), ("<pre>```\nx</pre>", "````\n```\nx\n````"),
    ("<pre>a<pre>b</pre>c</pre>d", "```\nabc\n```\n\nd"), ("<code>a``b</code>", "``` a``b ```"),
    ("<code><b>x*</b></code>", "`x*`"), ("<ol start=5><li>a<li>b</ol>", "5. a\n6. b"),
    ("<blockquote><pre>q\r\nw</pre></blockquote>", "> ```\n> q\n> w\n> ```"),
    ("<b title=\"x>bold</b> <i>it</i>", "**bold** *it*"),
    ("a<br>&nbsp;&nbsp;&nbsp;&nbsp;b", "a\nb"),
  ]) func `as a reader would have it`(html: String, markdown: String) {
    #expect(MarkdownFromHTML.text(html) == markdown)
  }

  /// Each piece opens or closes something; nothing here may look for its other end again and again.
  @Test(arguments: [
    "<", "<a", "<a \"", "<!--", "<!---->", "<b>", "<b>x</b>", "<blockquote>", "<ul><li>",
    "<a href=x>",
    "<a href=x>y</a>", "&", "&amp", "</b>", "<td>", "<pre>", "*", ".", "1.", "<i><b>x</i></b>",
    "<a href=x><b>y</b></a>", "<br>", "<img src=data:,>", "<code>x</code>",
    "\u{301}<i></i> <i></i>", "<script>", "<a href=u>", "~", "&#x301; ", "<td>|", "<li>",
    "<b title=\"x>",
  ]) func `the end of a text that repeats one piece is reached`(piece: String) {
    let text = String(repeating: piece, count: (1 << 16) / piece.utf8.count)
    #expect(MarkdownFromHTML.text("first " + text).hasPrefix("first"))
  }
}
