-- For Neovim 0.7 or newer, as ~/.config/nvim/plugin/flexslice.lua.
local client

vim.api.nvim_create_autocmd('FileType', {
  pattern = { 'yaml', 'json', 'markdown', 'sh', 'make', 'terraform' },
  callback = function(event)
    client = client or vim.lsp.start_client({ name = 'flexslice', cmd = { 'flexslice', 'lsp' } })
    if client then vim.lsp.buf_attach_client(event.buf, client) end
  end,
})
