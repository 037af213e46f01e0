"""A text is renamed in the editor, and what lies beside it follows, as each editor tells of that, or does not."""

from scenarios import BY_ITSELF, scenario, sentence

CLEAN = sentence("The quick brown fox jumps.")
RECORD = sentence("The {++quick ++}brown fox jumps{>>@jo: how?<<}.")
TYPED = sentence("The {++quick dark ++}brown fox jumps{>>@jo: how?<<}.")
AGAIN = sentence("The {++quick dark ++}brown {++red ++}fox jumps{>>@jo: how?<<}.")

# What plug-ins that show a tree of files do.
LUA = """
function Rename(new)
  local old = vim.api.nvim_buf_get_name(0)
  local files = { { oldUri = vim.uri_from_fname(old), newUri = vim.uri_from_fname(new) } }
  local clients = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  for _, client in ipairs(clients) do
    local answer = client.request_sync('workspace/willRenameFiles', { files = files }, 1000, 0)
    if answer and answer.result then
      vim.lsp.util.apply_workspace_edit(answer.result, client.offset_encoding)
    end
  end
  vim.lsp.util.rename(old, new, {})
  for _, client in ipairs(clients) do
    client.notify('workspace/didRenameFiles', { files = files })
  end
end
"""


@scenario(text=CLEAN, record=RECORD, only=BY_ITSELF, plug_in=True, lua=LUA)
def what_lies_beside_a_text_follows_it_to_another_name(editor):
    editor.insert_before("brown")
    editor.type("dark ")
    editor.escape()
    # Emacs renames the file to make a backup of it.
    editor.save()
    editor.wait("the sidecar to be written", lambda: editor.record == TYPED)
    editor.rename("chapter.md")
    editor.wait("the sidecar to follow", lambda: (editor.record, editor.read("doc.md.critic")) == (TYPED, None))
    editor.insert_before("fox")
    editor.type("red ")
    editor.escape()
    editor.save()
    editor.wait("the sidecar to be written again", lambda: editor.record == AGAIN)
    editor.promises(sentence("The brown fox jumps."), editor.saved, editor.record)
