;; For Emacs 29 or newer, or 28 with eglot from ELPA: load this, then M-x eglot in a buffer.
(require 'eglot)
(add-to-list 'eglot-server-programs
             '((yaml-mode yaml-ts-mode js-json-mode json-ts-mode markdown-mode
                sh-mode bash-ts-mode makefile-mode terraform-mode)
               . ("flexslice" "lsp")))
