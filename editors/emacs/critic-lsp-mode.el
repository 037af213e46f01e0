;;; critic-lsp-mode.el --- The server of critic.el through lsp-mode  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What `critic' needs done by lsp-mode, from 8.0 on.  `critic-mode' loads it
;; where lsp-mode is to run the server.

;;; Code:

(require 'critic)
(unless (require 'lsp-mode nil t)
  (error "Neither Eglot nor lsp-mode is installed"))

(defvar lsp--buffer-workspaces)
(defvar lsp--cur-version)
(defvar lsp--cur-workspace)
(defvar lsp-clients)
(defvar lsp-language-id-configuration)

;;;; What is used of lsp-mode

(declare-function lsp--apply-text-edits "ext:lsp-mode")
(declare-function lsp--apply-workspace-edit "ext:lsp-mode")
(declare-function lsp--buffer-uri "ext:lsp-mode")
(declare-function lsp--client-capabilities "ext:lsp-mode")
(declare-function lsp--client-server-id "ext:lsp-mode")
(declare-function lsp--imenu-create-index "ext:lsp-mode")
(declare-function lsp--parser-on-message "ext:lsp-mode")
(declare-function lsp--point-to-position "ext:lsp-mode")
(declare-function lsp--position-to-point "ext:lsp-mode")
(declare-function lsp--text-document-did-close "ext:lsp-mode")
(declare-function lsp--text-document-did-open "ext:lsp-mode")
(declare-function lsp--uri-to-path "ext:lsp-mode")
(declare-function lsp--workspace-client "ext:lsp-mode")
(declare-function lsp-buffer-language "ext:lsp-mode")
(declare-function lsp-deferred "ext:lsp-mode")
(declare-function lsp-managed-mode "ext:lsp-mode")
(declare-function lsp-mode "ext:lsp-mode")
(declare-function lsp-notify "ext:lsp-mode")
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function lsp-request "ext:lsp-mode")
(declare-function lsp-request-async "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function lsp-workspaces "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")

(defun critic-lsp-mode--known-p ()
  "Return non-nil if lsp-mode has all that is used of it but not documented.
What has two dashes in its name it may lose without notice."
  (and (boundp 'lsp--buffer-workspaces)
       (boundp 'lsp--cur-version)
       (boundp 'lsp--cur-workspace)
       (fboundp 'lsp--apply-text-edits)
       (fboundp 'lsp--apply-workspace-edit)
       (fboundp 'lsp--buffer-uri)
       (fboundp 'lsp--client-capabilities)
       (fboundp 'lsp--client-server-id)
       (fboundp 'lsp--imenu-create-index)
       (fboundp 'lsp--parser-on-message)
       (fboundp 'lsp--point-to-position)
       (fboundp 'lsp--position-to-point)
       (fboundp 'lsp--text-document-did-close)
       (fboundp 'lsp--text-document-did-open)
       (fboundp 'lsp--uri-to-path)
       (fboundp 'lsp--workspace-client)))

;;;; The server

(defun critic-lsp-mode--capabilities ()
  "Return what lsp-mode 8 can do, but does not tell: it counts characters."
  (unless (assq 'general (lsp--client-capabilities))
    '((general . ((positionEncodings . ["utf-32"]))))))

(defun critic-lsp-mode--complete-capabilities (original &optional ours)
  "Return what ORIGINAL does, and with OURS that documents are shown.
Only the first of two with the same name counts."
  (append (when (assq 'general ours)
            '((window . ((workDoneProgress . t)
                         (showDocument . ((support . t)))))))
          (funcall original ours)))

(defun critic-lsp-mode--register ()
  "Tell lsp-mode of the server."
  (add-to-list 'lsp-language-id-configuration
               '(markdown-ts-mode . "markdown") 'append)
  (let ((requests (make-hash-table :test #'equal))
        (actions (make-hash-table :test #'equal)))
    (puthash "workspace/applyEdit" #'critic-lsp-mode--apply requests)
    (puthash "window/showDocument" #'critic-lsp-mode--show requests)
    (dolist (command '("accept" "reject" "acceptAll" "rejectAll"
                       "removeAnnotations" "toggleTracking"))
      (puthash (concat "critic." command) #'critic-lsp-mode--execute actions))
    (lsp-register-client
     (make-lsp-client
      :new-connection (lsp-stdio-connection (lambda () critic-server-command))
      :activation-fn (lambda (_file _mode) (bound-and-true-p critic-mode))
      :add-on? t
      :server-id 'critic-lsp
      :custom-capabilities (critic-lsp-mode--capabilities)
      :initialization-options #'critic--initialization-options
      :request-handlers requests
      :action-handlers actions))))

(defun critic-lsp-mode--apply (_workspace params)
  "Apply the edit in PARAMS, and return the answer."
  (let* ((edit (critic--get params :edit))
         (uri (critic--edited-uri edit)))
    (condition-case problem
        (critic--take-edit (and uri (lsp--uri-to-path uri))
                           (critic--get params :label)
                           (lambda ()
                             (lsp--apply-workspace-edit edit 'server-requested)
                             '(:applied t)))
      (error (list :applied :json-false
                   :failureReason (error-message-string problem))))))

(defun critic-lsp-mode--apply-edits (apply edits &rest more)
  "Make EDITS, or let APPLY do it, with MORE."
  (critic--keep-point
   edits
   (lambda ()
     (if (and (bound-and-true-p critic-mode) (>= (length edits) critic--many))
         (critic--apply-many edits)
       (apply apply edits more)))))

(defun critic-lsp-mode--show (_workspace params)
  "Show what PARAMS say."
  (critic--show-document (lsp--uri-to-path (critic--get params :uri))
                         (critic--get params :selection))
  '(:success t))

(defun critic-lsp-mode--note-lists ()
  "Note that there is another list of some document.
Nobody says of which."
  (dolist (buffer (buffer-list))
    (with-current-buffer buffer
      (when (and critic-mode (critic-client-server 'lsp-mode))
        (critic--note-list)))))

(defun critic-lsp-mode--execute (action)
  "Execute ACTION, a command of the server, and take its edits at once."
  (let ((critic--asking t)
        (lsp--cur-workspace (critic-client-server 'lsp-mode)))
    (prog1 (lsp-request "workspace/executeCommand"
                        (list :command (critic--get action :command)
                              :arguments (critic--get action :arguments)))
      (critic--note-list))))

(defun critic-lsp-mode--reopen ()
  "Tell the server that the text was read anew, and that no one changed it.
For lsp-mode, that is a change as any other."
  (when-let* ((lsp--cur-workspace (critic-client-server 'lsp-mode)))
    (save-restriction
      (widen)
      (let* ((id (list :uri (lsp--buffer-uri)))
             (text (buffer-substring-no-properties (point-min) (point-max)))
             (item (list :languageId (lsp-buffer-language)
                         :version lsp--cur-version
                         :text text)))
        (lsp-notify "textDocument/didClose" (list :textDocument id))
        (lsp-notify "textDocument/didOpen"
                    (list :textDocument (append id item)))
        (critic--opened)))))

(defun critic-lsp-mode--opened ()
  "Note that a document has been opened, unless another server did so."
  (when (and (bound-and-true-p critic-mode)
             (critic-client-server 'lsp-mode))
    (critic--opened)))

;;;; What a client does

(defvar-local critic-lsp-mode--headings nil
  "What made the outline before lsp-mode did.")

(cl-defmethod critic-client-server ((_client (eql 'lsp-mode)))
  "Return the server of this buffer if lsp-mode has it, or nil."
  (seq-find (lambda (workspace)
              (eq (lsp--client-server-id (lsp--workspace-client workspace))
                  'critic-lsp))
            (lsp-workspaces)))

(cl-defmethod critic-client-start ((_client (eql 'lsp-mode)))
  "Have lsp-mode run the server in this buffer."
  (unless (critic-lsp-mode--known-p)
    (error "This version of lsp-mode is not known to critic.el"))
  (unless (gethash 'critic-lsp lsp-clients) (critic-lsp-mode--register))
  (when (critic-lsp-mode--capabilities)
    (advice-add 'lsp--client-capabilities :around
                #'critic-lsp-mode--complete-capabilities))
  (advice-add 'lsp--apply-text-edits :around #'critic-lsp-mode--apply-edits)
  (advice-add 'lsp--parser-on-message :around #'critic--receive)
  (advice-add 'lsp--text-document-did-open :after #'critic-lsp-mode--opened)
  (add-hook 'lsp-diagnostics-updated-hook #'critic-lsp-mode--note-lists)
  (add-hook 'after-revert-hook #'critic-lsp-mode--reopen 'append t)
  (setq critic-lsp-mode--headings imenu-create-index-function)
  (add-hook 'lsp-managed-mode-hook #'critic--managed nil t)
  (lsp-deferred))

(cl-defmethod critic-client-leave ((client (eql 'lsp-mode)))
  "Have lsp-mode, the CLIENT, tell the server no more of this buffer."
  (let* ((workspace (critic-client-server client))
         (others (remq workspace lsp--buffer-workspaces)))
    (let ((lsp--cur-workspace workspace))
      (lsp--text-document-did-close t))
    (setq lsp--buffer-workspaces others)
    (unless others
      (lsp-managed-mode -1)
      (lsp-mode -1))))

(cl-defmethod critic-client-release ((_client (eql 'lsp-mode)) last)
  "Undo in this buffer what starting lsp-mode has set up.
LAST is non-nil if no other buffer is in `critic-mode'."
  (remove-hook 'lsp-managed-mode-hook #'critic--managed t)
  (remove-hook 'after-revert-hook #'critic-lsp-mode--reopen t)
  (when last
    (remove-hook 'lsp-diagnostics-updated-hook #'critic-lsp-mode--note-lists)
    (advice-remove 'lsp--client-capabilities
                   #'critic-lsp-mode--complete-capabilities)
    (advice-remove 'lsp--apply-text-edits #'critic-lsp-mode--apply-edits)
    (advice-remove 'lsp--parser-on-message #'critic--receive)
    (advice-remove 'lsp--text-document-did-open #'critic-lsp-mode--opened)))

(cl-defmethod critic-client-leave-clone ((_client (eql 'lsp-mode)))
  "Take this indirect buffer, which is new, from lsp-mode."
  (when (bound-and-true-p lsp-managed-mode)
    (setq lsp--buffer-workspaces nil)
    (lsp-managed-mode -1)))

(cl-defmethod critic-client-position ((_client (eql 'lsp-mode)) pos)
  "Return POS as an LSP position, as lsp-mode counts."
  (lsp--point-to-position pos))

(cl-defmethod critic-client-point ((_client (eql 'lsp-mode)) position)
  "Return the LSP POSITION as a position in the buffer, as lsp-mode counts."
  (lsp--position-to-point position))

(cl-defmethod critic-client-uri ((client (eql 'lsp-mode)))
  "Return the URI of this buffer for the server of lsp-mode, the CLIENT."
  (let ((lsp--cur-workspace (critic-client-server client)))
    (lsp--buffer-uri)))

(cl-defmethod critic-client-request ((client (eql 'lsp-mode)) method params)
  "Have lsp-mode, the CLIENT, send METHOD with PARAMS, and return the result."
  (let ((lsp--cur-workspace (critic-client-server client)))
    (lsp-request method params)))

(cl-defmethod critic-client-request-async
  ((client (eql 'lsp-mode)) method params done failed)
  "Have lsp-mode, the CLIENT, send METHOD with PARAMS; DONE takes the result.
FAILED takes the reason if there is none."
  (let ((lsp--cur-workspace (critic-client-server client)))
    (lsp-request-async method params done
                       :mode 'detached
                       :error-handler
                       (lambda (problem)
                         (funcall failed (critic--get problem :message))))))

(cl-defmethod critic-client-notify ((client (eql 'lsp-mode)) method params)
  "Have lsp-mode, the CLIENT, send METHOD with PARAMS."
  (let ((lsp--cur-workspace (critic-client-server client)))
    (lsp-notify method params)))

(cl-defmethod critic-client-imenu ((_client (eql 'lsp-mode)))
  "Return the outline that lsp-mode has from the server."
  (lsp--imenu-create-index))

(cl-defmethod critic-client-return-imenu ((_client (eql 'lsp-mode)))
  "Put back the outline in whose place lsp-mode has put that of the server."
  (if (eq imenu-create-index-function #'lsp--imenu-create-index)
      ;; lsp-mode 8 puts its own in the place of what was there.
      (setq-local imenu-create-index-function critic-lsp-mode--headings)
    (remove-function (local 'imenu-create-index-function)
                     #'lsp--imenu-create-index)))

(provide 'critic-lsp-mode)

;;; critic-lsp-mode.el ends here
