-- What test_neovim.py has Neovim do: opens a spec, and prints as JSON what Neovim's own client got.
local function drive()
  local spec = assert(os.getenv('SPEC'))
  vim.cmd('filetype on')
  vim.cmd('edit ' .. spec)
  local buffer = vim.api.nvim_get_current_buf()

  local function wait(what, holds) assert(vim.wait(20000, holds, 10), 'no ' .. what) end
  local function codes()
    return vim.tbl_map(function(each) return { each.lnum, each.col, each.code } end, vim.diagnostic.get(buffer))
  end
  local function ask(method, line, column)
    local position = { textDocument = { uri = vim.uri_from_bufnr(buffer) }, position = { line = line, character = column } }
    local answers = assert(vim.lsp.buf_request_sync(buffer, method, position, 20000))
    local _, answer = next(answers)
    return answer.result
  end

  local topology
  for number, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if line:find('topology:') then topology = number - 1 end
  end
  local result = {}
  wait('findings', function() return #vim.diagnostic.get(buffer) > 0 end)
  result.findings = codes()
  result.hover = ask('textDocument/hover', topology, 4).contents.value
  result.offered = vim.tbl_map(function(each) return each.label end, ask('textDocument/completion', topology, 13))
  result.symbols = #ask('textDocument/documentSymbol', 0, 0)

  vim.api.nvim_buf_set_text(buffer, topology, 12, topology, 15, { '4X4' })
  wait('fix', function() return #vim.diagnostic.get(buffer) > 0 and vim.diagnostic.get(buffer)[1].code ~= result.findings[1][3] end)
  local here = { line = topology, character = 13 }
  local _, actions = next(vim.lsp.buf_request_sync(buffer, 'textDocument/codeAction', {
    textDocument = { uri = vim.uri_from_bufnr(buffer) }, range = { start = here, ['end'] = here }, context = { diagnostics = {} },
  }, 20000))
  vim.lsp.util.apply_workspace_edit(actions.result[1].edit, 'utf-16')
  wait('fixed text', function() return vim.api.nvim_buf_get_lines(buffer, topology, topology + 1, false)[1] == '  topology: 4x4' end)
  wait('good text', function() return #vim.diagnostic.get(buffer) == 0 end)
  io.stdout:write(vim.fn.json_encode(result) .. '\n')
end

local is_good, problem = pcall(drive)
if not is_good then io.stderr:write(tostring(problem) .. '\n') end
vim.cmd('qall!')
