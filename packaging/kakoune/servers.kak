# Tried in Kakoune 2022.10, which sets the option; kakoune-lsp was not at hand. Users set up Kakoune with editors/kakoune.
#
# For kakoune-lsp's rc/servers.kak. Marksman is its server for Markdown: this table goes beside it, in the same option.

hook -group lsp-filetype-markdown global BufSetOption filetype=markdown %{
    set-option buffer lsp_servers %{
        [critic-lsp]
        root_globs = [".git", ".hg"]
        settings_section = "critic"
        [critic-lsp.settings.critic]
        # tracking = "on"
    }
}
