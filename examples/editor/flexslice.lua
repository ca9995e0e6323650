-- For Neovim 0.7 or newer, as ~/.config/nvim/plugin/flexslice.lua.
local client
-- npm on Windows installs flexslice.cmd.
local program = vim.fn.has('win32') == 1 and vim.fn.exepath('flexslice') or 'flexslice'

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'yaml', 'json', 'markdown', 'sh', 'make', 'terraform' },
  callback = function(event)
    client = client or vim.lsp.start_client({ name = 'flexslice', cmd = { program, 'lsp' } })
    if client then vim.lsp.buf_attach_client(event.buf, client) end
  end,
})
