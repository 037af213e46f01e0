import JSONRPC
import TrackEngine

/// That a document's file or record is read or written, which a command waits for.
struct AskedFile {
  let key: DocumentKey
  let purpose: Purpose
  /// Nil until it is done.
  var answer: Result<LSPAny, ResponseError>? = nil

  enum Purpose: Equatable {
    /// The file is read, whose marks the client does not show, or will not.
    case take
    /// They are written.
    case write(TextHash)
    /// They are written beside a text, before they leave it.
    case move(TextHash)

    /// What is written; nil if something is read.
    var written: TextHash? {
      switch self {
      case .take: nil
      case .write(let text), .move(let text): text
      }
    }
  }
}

extension Server {
  /// Waits for a document's file, to answer a request.
  func wait(for purpose: AskedFile.Purpose, of key: DocumentKey, toAnswer id: RequestID) {
    wait(Waiting(id: id, question: .file(AskedFile(key: key, purpose: purpose))))
  }

  /// Answers the commands that wait for a document's file.
  ///
  /// - Parameters:
  ///   - key: The document.
  ///   - written: What was written; nil if the file was read.
  ///   - failure: Why it was not done; nil if it was.
  /// - Returns: Whether there were any.
  func answerWaiting(for key: DocumentKey, _ written: TextHash?, _ failure: String?) -> Bool {
    var wasAwaited = false
    for index in waiting.all.indices {
      guard case .file(var asked) = waiting.all[index].question, asked.key == key,
        asked.purpose.written == written
      else { continue }
      do throws(ResponseError) {
        if let failure { throw ResponseError.requestFailed(failure) }
        asked.answer = .success(try finish(asked))
      } catch {
        asked.answer = .failure(error)
      }
      waiting.note(.file(asked), at: index)
      wasAwaited = true
    }
    return wasAwaited
  }

  private func finish(_ asked: AskedFile) throws(ResponseError) -> LSPAny {
    switch asked.purpose {
    case .take: try goOnMoving(asked.key, to: .file)
    case .write: JSONNull()
    case .move: try goOnMoving(asked.key, to: .beside)
    }
  }
}

/// The answer to `critic.marks`.
struct KeptMarks: JSONWritable {
  let place: MarksPlace

  func write(to writer: inout JSONWriter) {
    writer.object { $0.member("marks", place.rawValue) }
  }
}
