import CLibrary
import TrackEngine

/// The measuring instrument of the benchmark; `Tests/Benchmarks/run` holds it.
///
///     corpus FOLDER LONGEST             makes the documents
///     race [turns=N] [seconds=N] (-- KIND WORD…)…
///                                       measures contenders in turn, prints their times as JSON
///         program [in=FILE] [out=FILE] [clear=FOLDER] PROGRAM WORD…   runs to its end
///         engine-open FILE, engine-type FILE                          the engine, in process
///         open FILE SERVER…, open-list FILE SERVER…                   didOpen to an answer, to the list
///         type [list] [full] FILE SERVER…                             didChange and hover
///         surfaces FILE SERVER…                                       didChange and what editors show
///         start SERVER…, write-list FILE SERVER…, insert, copy COUNT  see there
///     type FILE COUNT                   types COUNT letters in the engine, for counting instructions
///     open FILE                         opens and reads a document in the engine, likewise
///     soak KEYS SEED                    types keys beside a plain model
///     history NUMBER FILE…              writes revisions of a document, each into the one before
///     session FILE COUNT                prints what an editor sends for COUNT keystrokes
///     list FILE SERVER…                 prints the list of changes that a server sends
@main
enum Main {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      try? File.write(Array("benchmark: \(error)\n".utf8), to: 2)
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    let words = Array(arguments.dropFirst())
    switch (arguments.first, words.count) {
    case ("corpus"?, 2): try Corpus(folder: words[0], longest: Int(words[1]) ?? 0).make()
    case ("race"?, 2...): try File.write(try race(words).json, to: 1)
    case ("type"?, 2):
      let contender = KeystrokeContender(words[0])
      try contender.prepare()
      contender.type(Int(words[1]) ?? 0)
    case ("open"?, 1):
      let tracker = Tracker(Text(try File.read(words[0])), options: Tracker.Options(.markdown))
      guard tracker.excerpt(around: 0..<0).start == 0 else { throw Failure("no beginning") }
    case ("soak"?, 2): try Soak.run(keys: Int(words[0]) ?? 0, seed: UInt64(words[1]) ?? 0)
    case ("history"?, 3...):
      let history = History(try words.dropFirst().map(File.read))
      try File.write(Array("\(try history.play(Int(words[0]) ?? 0))\n".utf8), to: 1)
    case ("session"?, 2): try File.write(try session(words[0], Int(words[1]) ?? 0), to: 1)
    case ("list"?, 2...):
      try File.write(try SentList.body(for: words[0], Array(words.dropFirst())), to: 1)
    default: throw Failure("wrong use; see Main.swift")
    }
  }

  private static func race(_ words: [String]) throws -> [Results] {
    let groups = words.split(separator: "--", omittingEmptySubsequences: false).map(Array.init)
    var race = Race()
    for word in groups[0] {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let number = Double(parts[1]) else { throw Failure("\(word)?") }
      if parts[0] == "turns" { race.turns = Int(number) } else { race.seconds = number }
    }
    return try race.run(try groups.dropFirst().map(contender))
  }

  private static func contender(_ words: [String]) throws -> any Contender {
    let rest = Array(words.dropFirst())
    let more = Array(rest.dropFirst())
    switch (words.first, rest.count) {
    case ("program"?, 1...): return ProgramContender(rest)
    case ("engine-open"?, 1): return OpenContender(rest[0])
    case ("engine-type"?, 1): return KeystrokeContender(rest[0])
    case ("insert"?, 0): return InsertContender()
    case ("start"?, 1...): return StartContender(rest)
    case ("open"?, 2...): return ReopenContender(rest[0], awaitsList: false, more)
    case ("open-list"?, 2...): return ReopenContender(rest[0], awaitsList: true, more)
    case ("type"?, 2...): return TypingContender(rest)
    case ("surfaces"?, 2...): return SurfaceContender(rest[0], more)
    case ("write-list"?, 2...): return WriteListContender(rest[0], more)
    case ("copy"?, 1): return CopyContender(Int(rest[0]) ?? 0)
    default: throw Failure("there is no such contender: \(words.joined(separator: " "))")
    }
  }

  /// A session of an editor: a document is opened, letters are typed in it, each with a hover.
  private static func session(_ path: String, _ count: Int) throws -> [UInt8] {
    let bytes = try File.read(path)
    let places = Place.random(in: bytes, seed: 5)
    var messages = Messages()
    var session = try messages.initialize() + messages.initialized() + messages.open(bytes)
    var random = Random(seed: 6)
    for number in 0..<count {
      var place = places[(number / KeystrokeContender.burst) % places.count]
      place.character += number % KeystrokeContender.burst
      let letter = UInt8(ascii: "a") + UInt8(random.below(26))
      session += messages.change([Messages.Change(place: place, text: [letter])])
      session += messages.hover(place)
    }
    return session + messages.shutdown() + messages.exit()
  }
}
