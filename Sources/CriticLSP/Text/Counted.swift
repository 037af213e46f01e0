/// A number and what it counts, as in `1 change` and `2 changes`.
///
/// - Parameters:
///   - number: The number.
///   - noun: The noun in the singular; its plural ends in `s`.
/// - Returns: Both.
func counted(_ number: Int, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
