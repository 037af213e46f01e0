import TestSupport
import Testing

@Suite("Random sessions with the clients that there are", .timeLimited) struct ClientProperties {
  private static let drafts = [
    "The {++quick ++}brown {--red --}fox.\nIt {~~runs~>jumps~~} far.\n",
    "One two three four.\n\nFive six.\n",
    "é👩‍👩‍👧 {++ü++}🇿🇦 e\u{301}x {==hl==}{>>n<<} y\n",
    "- first\n- second {--gone--}\n",
  ]

  private func check(_ habits: ClientHabits, _ options: String) {
    forAll(
      runs(60),
      length: 14,
      step: { WriterStep.random(&$0) },
      law: { seed, steps in
        do {
          let draft = ClientProperties.drafts[Int(seed) % ClientProperties.drafts.count]
          var session = try WriterSession(habits, draft, options: options, seed: seed)
          for step in steps {
            if let broken = try session.perform(step) { return broken }
          }
          return try session.end()
        } catch {
          return "\(error)"
        }
      }
    )
  }

  @Test(
    "Original, clean text and undo hold in every client as it is by default",
    arguments: ClientHabits.all
  )
  func byDefault(_ habits: ClientHabits) {
    check(habits, #"{"tracking":"on"}"#)
  }

  @Test(
    "They hold in clients that look at an edit's version, when marking while the writer pauses",
    arguments: ClientHabits.checking
  )
  func whileIdle(_ habits: ClientHabits) {
    check(habits, #"{"tracking":"on","marking":"idle"}"#)
  }
}
