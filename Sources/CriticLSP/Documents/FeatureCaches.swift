import TrackEngine

/// What features keep of a document between requests.
struct FeatureCaches {
  /// The semantic tokens last sent to the client.
  var semanticTokens = SemanticTokenData()
  /// The ranges that can be folded.
  var folds = Kept<Foldable>()
  /// Who made how many changes, and of which state of the document.
  var authors: (revision: Int, counts: [AuthorCount])?
  /// The links in comments.
  var links = Kept<Link>()

  /// Notes a change in how the text reads.
  mutating func note(_ difference: Difference) {
    semanticTokens.note(difference)
    folds.note(difference)
    links.note(difference)
  }
}
