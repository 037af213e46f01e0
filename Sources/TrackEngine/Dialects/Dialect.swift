/// How a tool writes in CriticMarkup who made a change or wrote a comment, and when.
public enum Dialect: String, CaseIterable, Sendable {
  /// A head in the first comment: `{++new++}{>>@anna | 2026-11-22<<}`.
  case criticmark
  /// A JSON object before the text, as Obsidian Commentator writes it: `{++{"author":"anna","time":1763769600}@@new++}`.
  case commentator
  /// Attributes before the sign, as Obsidian's Track Changes writes them: `{author="anna" date="2026-11-22"++new++}`.
  case obsidian
  /// Attributes behind the mark, as Roughdraft writes them: `{++new++}{id="s1" by="anna" at="2026-11-22"}`; also read
  /// from its endmatter.
  case roughdraft
  /// Footnotes with the comments in them, as ChangeDown writes them: `{++new++}[^cn-1]`.
  case changedown
}

/// Something that a dialect cannot say.
public struct Loss: Equatable, Sendable {
  /// What it is.
  public enum What: Equatable, Sendable {
    /// The name of an author that cannot be written there; the mark stays as it is.
    case author(String)
    /// The mark stays as it is, since with other metadata it would not be read as the same.
    case unwritable
    /// The mark stays as it is, since its footnote is text, too: something else refers to it, or it has changes in it.
    case footnote
    /// The mark stays as it is, since several tools have written on it.
    case mixed
    /// The endmatter stays, since some marks stay that refer to it.
    case endmatter
    /// A line of a footnote that is not a comment, or an entry of the endmatter that is about no mark.
    case line(String)
    /// Who commented first, where that is read as who made the change.
    case firstAuthor(String)
    /// A date.
    case date(String)
    /// A date that is written in UTC and to the second.
    case zone(String)
    /// What has been decided.
    case status(String)
    /// A member or an attribute of the metadata, by its name.
    case member(String)
    /// That a mark is inside another one.
    case nesting
  }

  /// What it is.
  public var what: What
  /// The offset of the mark in the text that was converted.
  public var offset: Int

  /// Whether it names somebody, or is a text.
  public var isGrave: Bool {
    switch what {
    case .author, .unwritable, .footnote, .mixed, .endmatter, .line, .firstAuthor: true
    case .date, .zone, .status, .member, .nesting: false
    }
  }
}
