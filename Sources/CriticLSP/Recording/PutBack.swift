import TrackEngine

/// Marks that an edit of ours puts back.
struct PutBack {
  /// What the editor is told of the edit.
  ///
  /// Our package for Neovim knows by it that the edit belongs to nothing that was typed.
  static let label = MeanwhileAnswer.putBack.rawValue

  private let count: Int
  private let all: Int
  /// The others, as they were, and why.
  let left: [String]

  init(_ carrying: Carrying) {
    all = carrying.changes.count
    count = all - carrying.left.count
    left = carrying.left.map { left in
      let mark = carrying.source[carrying.changes[left.index].range]
      return "\(String(decoding: mark, as: UTF8.self)) – \(left.obstacle.reason)"
    }
  }

  /// Whether at least half of them are put back.
  var isMost: Bool { 2 * count >= all }

  /// How many, as in `19 of 20 marks`.
  var summary: String { (count == all ? "" : "\(count) of ") + counted(all, "mark") }
}
