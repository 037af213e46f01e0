/// Where something is in a text; lines and columns count from 1, columns in Unicode scalars, and the end is exclusive.
struct Region: Sendable {
  let line: Int
  let column: Int
  let endLine: Int
  let endColumn: Int

  init(from start: (line: Int, column: Int), to end: (line: Int, column: Int)) {
    (line, column) = start
    (endLine, endColumn) = end
  }
}
