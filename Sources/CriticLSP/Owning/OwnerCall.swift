import JSONRPC
import TrackEngine

/// What another process of the user's asks of the server that has a file open, which is the file's owner.
///
/// The messages are requests of JSON-RPC, each on a line.
struct OwnerCall {
  /// Who asks, and under which id.
  struct ID: Equatable {
    let caller: Int
    let request: RequestID
  }

  enum Ask {
    /// Whether it is open here; to be edited, unless it is about the review.
    case find(forReview: Bool)
    /// The text that the editor shows; if so, with everything in marks that is pending.
    case text(isMarked: Bool)
    /// Edits of the text in a state, to be made by the editor.
    case edit(Edits)
    /// What was proposed and what was made of it: at once, or when the writer has said that the review is done.
    ///
    /// `by` says who asks.
    case review(waits: Bool, by: AuthorName?)
    /// What its editor saved last, and whether it has ever shown a text, which the file has now.
    case saved(file: [UInt8])

    /// Whether it takes no edits by the editor.
    var isForReview: Bool {
      switch self {
      case .find(let isForReview): isForReview
      case .review, .saved: true
      case .text, .edit: false
      }
    }
  }

  /// Edits of a text that the owner gave.
  struct Edits {
    /// The state in which it was given.
    let state: Int
    /// Whether everything was in marks in it.
    let isMarked: Bool
    /// Whether they propose something, which the writer then reviews.
    let isProposal: Bool
    let edits: [Edit]
  }

  /// What the editor is told of the edit.
  ///
  /// Our packages know by it that the edit leaves alone what is being typed.
  static let label = "Made by another program"

  let id: ID
  let ask: Ask

  /// Reads a message.
  ///
  /// - Throws: The answer to one that cannot be read; nil if none is expected.
  init(_ body: [UInt8], from caller: Int) throws(Failure) {
    guard let message = try? IncomingMessage(body: body),
      case .request(let request, let method, let params) = message
    else { throw Failure(answer: nil) }
    id = ID(caller: caller, request: request)
    do throws(ResponseError) {
      switch method {
      case "find": ask = .find(forReview: params?["isForReview"]?.bool ?? false)
      case "text": ask = .text(isMarked: params?["isMarked"]?.bool ?? false)
      case "edit":
        guard let params else { throw .expected("an object").inside("params") }
        ask = .edit(try Edits(params))
      case "review":
        let author = params?["author"]?.string.flatMap { AuthorName($0) }
        ask = .review(waits: params?["waits"]?.bool ?? false, by: author)
      case "saved":
        guard let params else { throw .expected("an object").inside("params") }
        ask = .saved(file: try params.readUTF8("text"))
      default: throw .methodNotFound("There is no method \(method).")
      }
    } catch {
      throw Failure(answer: .error(to: request, error))
    }
  }

  struct Failure: Error {
    let answer: OutgoingMessage?
  }
}

/// A file, whatever its names are.
struct FileNumber: Hashable, Sendable {
  let device: Int
  let inode: Int

  init(device: Int, inode: Int) { (self.device, self.inode) = (device, inode) }

  /// The file that a call with these params is about; nil if it does not say.
  init?(_ params: JSON?) {
    guard let device = params?["device"]?.integer, let inode = params?["inode"]?.integer
    else { return nil }
    self.init(device: device, inode: inode)
  }
}

extension ResponseError {
  /// The editor refused the edit of a call, of a text that has not changed; it may take it later.
  static func refusedByEditor(_ reason: String) -> Self {
    Self(
      code: -32_010,
      message: "the editor refused it" + (reason.isEmpty ? "" : ": \(reason)")
    )
  }
}

extension OwnerCall.Edits: JSONReadable {
  init(_ json: JSON) throws(ResponseError) {
    state = try json.read("state")
    isMarked = json["isMarked"]?.bool ?? false
    isProposal = json["isProposal"]?.bool ?? false
    var end = 0
    var edits: [Edit] = []
    guard let list = json["edits"], list.kind == .array else {
      throw .expected("a list").inside("edits")
    }
    for json in list.elements {
      let edit = try EditJSON(json).edit
      guard edit.range.lowerBound >= end else {
        throw .invalidParams("The edits must be in order, and must not overlap.")
      }
      end = edit.range.upperBound
      edits.append(edit)
    }
    self.edits = edits
  }

  /// Writes the members.
  func write(to writer: inout JSONWriter) {
    writer.member("state", state)
    writer.member("isMarked", isMarked)
    writer.member("isProposal", isProposal)
    writer.member("edits", edits.map(EditJSON.init))
  }
}
