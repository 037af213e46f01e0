/// Shell completions, generated from the commands' own descriptions.
enum Completions {
  static let shells = ["bash", "zsh", "fish"]

  /// The script for a shell; nil for any other word.
  static func script(for shell: String) -> String? {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: nil
    }
  }

  /// The commands with their summaries, including `help`, which is not a subcommand.
  private static var commands: [(name: String, summary: String)] {
    Subcommand.all.map { ($0.name, $0.summary) } + [("help", "help on a command")]
  }
}

// MARK: - bash

extension Completions {
  static var bash: String {
    let cases = Subcommand.all.map { command in
      let values = command.options.compactMap { option -> String? in
        let names = [option.letter, option.name].compactMap { $0 }.joined(separator: "|")
        switch option.value {
        case .choice(_, let words)?:
          return "        \(names)) words='\(words.joined(separator: " "))'; isValue=1 ;;"
        case .path?: return "        \(names)) isPath=1; isValue=1 ;;"
        case .text?: return "        \(names)) isValue=1 ;;"
        case nil: return nil
        }
      }
      let options = (command.options.map(\.name) + ["--help"]).joined(separator: " ")
      let operands =
        switch command.operand {
        case .none: ""
        case .path: "isPath=1"
        case .choice(let words): "words='\(words.joined(separator: " "))'"
        }
      let value =
        values.isEmpty
        ? "" : "      case \"$previous\" in\n\(values.joined(separator: "\n"))\n      esac\n"
      return """
            \(command.name))
        \(value)      if [ -z "$isValue" ]; then
                case "$current" in
                  -*) words='\(options)' ;;
                  *) \(operands.isEmpty ? ":" : operands) ;;
                esac
              fi ;;
        """
    }
    return """
      # bash completion for critic-lsp

      _critic_lsp() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
        local words= isPath= isValue=
        COMPREPLY=()
        # Bash cuts --name=value at the sign.
        if [ "$current" = "=" ]; then current=; elif [ "$previous" = "=" ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
        if [ "$COMP_CWORD" -eq 1 ]; then
          words='\(commands.map(\.name).joined(separator: " ")) --help --version'
        else
          case "${COMP_WORDS[1]}" in
            help) words='\(Help.topics.joined(separator: " "))' ;;
      \(cases.joined(separator: "\n"))
          esac
        fi
        if [ -n "$isPath" ]; then
          compopt -o filenames 2>/dev/null
          local IFS=$'\\n'
          COMPREPLY=($(compgen -f -- "$current"))
        else
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        fi
      }
      complete -F _critic_lsp critic-lsp

      """
  }
}

// MARK: - zsh

extension Completions {
  static var zsh: String {
    let cases = Subcommand.all.map { command in
      let options = command.options.map { option -> String in
        let value =
          switch option.value {
          case .choice(let name, let words)?: ":\(name):(\(words.joined(separator: " ")))"
          case .path(let name)?: ":\(name):_files"
          case .text(let name)?: ":\(name): "
          case nil: ""
          }
        let text = zshEscaped(option.summary)
        guard let letter = option.letter else {
          return "'*\(option.name)\(value.isEmpty ? "" : "=")[\(text)]\(value)'"
        }
        let names =
          "{\(letter)\(value.isEmpty ? "" : "+"),\(option.name)\(value.isEmpty ? "" : "=")}"
        return "'*'\(names)'[\(text)]\(value)'"
      }
      let operands =
        switch command.operand {
        case .none: ""
        case .path: " '*:path:_files'"
        case .choice(let words): " '1:word:(\(words.joined(separator: " ")))'"
        }
      let all = (options + ["'(-h --help)'{-h,--help}'[help]'"]).joined(separator: " ")
      return "    \(command.name)) _arguments -s \(all)\(operands) ;;"
    }
    let names = commands.map { "    '\($0.name):\(zshEscaped($0.summary))'" }
    return """
      #compdef critic-lsp

      local -a commands
      commands=(
      \(names.joined(separator: "\n"))
      )
      if (( CURRENT == 2 )); then
        _describe -t commands command commands
        _arguments '(-)'{-h,--help}'[help]' '(-)'{-V,--version}'[the version]'
        return
      fi
      local command=$words[2]
      shift words
      (( CURRENT-- ))
      case $command in
          help) _arguments '1:topic:(\(Help.topics.joined(separator: " ")))' ;;
      \(cases.joined(separator: "\n"))
      esac

      """
  }

  private static func zshEscaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "'": result += "'\\''"
      case "[", "]", ":", "\\": result += "\\\(character)"
      default: result.append(character)
      }
    }
    return result
  }
}

// MARK: - fish

extension Completions {
  static var fish: String {
    var lines = [
      "# fish completion for critic-lsp", "", "complete -c critic-lsp -f",
      "complete -c critic-lsp -n __fish_use_subcommand -s h -l help -d help",
      "complete -c critic-lsp -n __fish_use_subcommand -s V -l version -d 'the version'",
    ]
    for (name, summary) in commands {
      lines.append(
        "complete -c critic-lsp -n __fish_use_subcommand -a \(name) -d '\(fishEscaped(summary))'"
      )
    }
    lines.append(
      "complete -c critic-lsp -n '__fish_seen_subcommand_from help' -a '\(Help.topics.joined(separator: " "))'"
    )
    for command in Subcommand.all {
      let start = "complete -c critic-lsp -n '__fish_seen_subcommand_from \(command.name)'"
      for option in command.options {
        let letter = option.letter.map { " -s \($0.dropFirst())" } ?? ""
        let value =
          switch option.value {
          case .choice(_, let words)?: " -x -a '\(words.joined(separator: " "))'"
          case .path?: " -r -F"
          case .text?: " -x"
          case nil: ""
          }
        lines.append(
          "\(start)\(letter) -l \(option.name.dropFirst(2))\(value) -d '\(fishEscaped(option.summary))'"
        )
      }
      switch command.operand {
      case .none: break
      case .path: lines.append("\(start) -F")
      case .choice(let words): lines.append("\(start) -a '\(words.joined(separator: " "))'")
      }
    }
    return lines.map { "\($0)\n" }.joined()
  }

  private static func fishEscaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
  }
}
