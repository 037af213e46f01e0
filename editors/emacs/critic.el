;;; critic.el --- Suggesting mode for plain text  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: text, wp
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Tracked changes in Markdown, through the language server critic-lsp.
;;
;;   (require 'critic)
;;   (setq critic-settings '(:tracking "on"))
;;   (global-critic-mode)
;;
;; What you type, delete and replace is recorded as CriticMarkup while you
;; write.  The server does that; it needs Eglot (part of Emacs 29 and later)
;; or lsp-mode, and works without this package.  The package starts it, takes
;; its edits in such a way that they never meet text which it does not know
;; and that one undo takes back a change with its marks, gives its commands
;; names and keys, shows marks in colours, lists the changes, and tells their
;; number in the mode line.

;;; Code:

(require 'diff-mode)
(require 'easymenu)
(require 'eieio)
(require 'seq)
(require 'subr-x)

(defvar critic-mode)
(defvar eglot--versioned-identifier)
(defvar eglot-confirm-server-edits)
(defvar eglot-confirm-server-initiated-edits)
(defvar eglot-send-changes-idle-time)
(defvar eglot-server-programs)
(defvar lsp--cur-version)
(defvar lsp--cur-workspace)
(defvar lsp-language-id-configuration)
(declare-function critic-eglot-server--eieio-childp "critic")
(declare-function eglot--TextDocumentIdentifier "ext:eglot")
(declare-function eglot--lsp-position-to-point "ext:eglot")
(declare-function eglot--pos-to-lsp-position "ext:eglot")
(declare-function eglot--server-info "ext:eglot")
(declare-function eglot--signal-textDocument/didChange "ext:eglot")
(declare-function eglot--track-changes-fetch "ext:eglot")
(declare-function eglot--uri-to-path "ext:eglot")
(declare-function eglot-current-server "ext:eglot")
(declare-function eglot-ensure "ext:eglot")
(declare-function eglot-managed-p "ext:eglot")
(declare-function eglot-uri-to-path "ext:eglot")
(declare-function jsonrpc-async-request "ext:jsonrpc")
(declare-function jsonrpc-request "ext:jsonrpc")
(declare-function lsp--apply-workspace-edit "ext:lsp-mode")
(declare-function lsp--buffer-uri "ext:lsp-mode")
(declare-function lsp--client-capabilities "ext:lsp-mode")
(declare-function lsp--client-server-id "ext:lsp-mode")
(declare-function lsp--point-to-position "ext:lsp-mode")
(declare-function lsp--position-to-point "ext:lsp-mode")
(declare-function lsp--uri-to-path "ext:lsp-mode")
(declare-function lsp--window-show-document "ext:lsp-mode")
(declare-function lsp--workspace-client "ext:lsp-mode")
(declare-function lsp-buffer-language "ext:lsp-mode")
(declare-function lsp-deferred "ext:lsp-mode")
(declare-function lsp-notify "ext:lsp-mode")
(declare-function lsp-register-client "ext:lsp-mode")
(declare-function lsp-request "ext:lsp-mode")
(declare-function lsp-request-async "ext:lsp-mode")
(declare-function lsp-stdio-connection "ext:lsp-mode")
(declare-function lsp-workspaces "ext:lsp-mode")
(declare-function make-lsp-client "ext:lsp-mode")

;;;; Options

(defgroup critic nil
  "Tracked changes in plain text."
  :group 'text
  :prefix "critic-")

(defcustom critic-server-command '("critic-lsp")
  "The server's program and its arguments."
  :type '(repeat string))

(defcustom critic-settings nil
  "What the server is told, as a property list.
For example (:tracking \"on\" :author \"anna\").  Unless it says
something else, changes are marked after a pause, which is safe
in Emacs with this package, and the lists of Flymake, Flycheck
and the outline hold the 50 changes nearest to the last edit;
\":maxChanges 0\" turns these lists off.  A setting takes effect
when the server is started anew."
  :type '(plist :key-type symbol :value-type sexp))

(defcustom critic-modes '(markdown-mode gfm-mode markdown-ts-mode)
  "The major modes in which `global-critic-mode' turns on `critic-mode'.
Only these, not the modes that derive from them: with `text-mode'
among them, plain text is tracked, but Org files are not."
  :type '(repeat symbol))

(defcustom critic-client nil
  "What runs the server: `eglot', `lsp-mode', or nil.
With nil, it is what the buffer is managed by, else lsp-mode
where that is loaded, else Eglot."
  :type '(choice (const :tag "What is there" nil)
                 (const eglot)
                 (const lsp-mode)))

(defcustom critic-log-messages nil
  "Whether Eglot logs what it and the server say.
The log, which `\\[eglot-events-buffer]' shows, takes time with each
key.  The option takes effect when the server is started anew."
  :type 'boolean)

(defcustom critic-mark-on-leaving t
  "Whether to mark what was typed when another buffer is selected."
  :type 'boolean)

;;;; Faces

(defface critic-addition '((t :inherit diff-added))
  "Face of what was added.")

(defface critic-deletion '((t :inherit diff-removed))
  "Face of what was deleted.")

(defface critic-substitution-old '((t :inherit critic-deletion))
  "Face of what was replaced.")

(defface critic-substitution-new '((t :inherit critic-addition))
  "Face of what it was replaced by.")

(defface critic-highlight '((t :inherit highlight))
  "Face of what is highlighted.")

(defface critic-comment '((t :inherit font-lock-comment-face :slant italic))
  "Face of comments.")

(defface critic-delimiter '((t :inherit shadow))
  "Face of the signs that make a mark, as `{++'.")

;;;; Talking to the server

(defconst critic--name "critic-lsp"
  "The name by which the server goes.")

(defvar critic--asking nil
  "What the server is asked to do while a command waits for it, or nil.")

(defun critic--eglot-server ()
  "Return the server of this buffer, if it is Eglot's."
  (when-let* (((fboundp 'eglot-managed-p))
              ((eglot-managed-p))
              (server (eglot-current-server)))
    (and (equal (plist-get (eglot--server-info server) :name) critic--name)
         server)))

(defun critic--lsp-workspace ()
  "Return the server of this buffer, if it is that of lsp-mode."
  (when (fboundp 'lsp-workspaces)
    (seq-find (lambda (workspace)
                (eq (lsp--client-server-id (lsp--workspace-client workspace))
                    'critic-lsp))
              (lsp-workspaces))))

(defun critic--position (pos)
  "Return POS as an LSP position."
  (if (critic--eglot-server)
      (eglot--pos-to-lsp-position pos)
    (lsp--point-to-position pos)))

(defun critic--point (position)
  "Return the LSP POSITION as a position in the buffer."
  (if (critic--eglot-server)
      (eglot--lsp-position-to-point position)
    (lsp--position-to-point position)))

(defun critic--range (beg end)
  "Return the text between BEG and END as an LSP range."
  (list :start (critic--position beg) :end (critic--position end)))

(defun critic--get (object key)
  "Return what KEY has in OBJECT, which came from the server."
  (if (hash-table-p object)
      (gethash (substring (symbol-name key) 1) object)
    (plist-get object key)))

(defun critic--call (command arguments)
  "Return the params for COMMAND of the server with ARGUMENTS, a property list."
  (let ((uri (if (critic--eglot-server)
                 (plist-get (eglot--TextDocumentIdentifier) :uri)
               (lsp--buffer-uri))))
    (list :command (format "critic.%s" command)
          :arguments (vector (append (list :uri uri) arguments)))))

(defun critic--flush ()
  "Send what was typed and is not sent yet."
  (when (critic--eglot-server)
    ;; Eglot does not find what was changed outside of a narrowed buffer.
    (save-restriction
      (widen)
      (eglot--signal-textDocument/didChange))))

(defun critic--request (command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS, and return the result.
When it returns, what the command changes has been changed."
  (let ((critic--asking command)
        (eglot (critic--eglot-server))
        (lsp--cur-workspace (critic--lsp-workspace)))
    (unless (or eglot lsp--cur-workspace)
      (user-error "The server %s does not run in this buffer" critic--name))
    (critic--flush)
    (condition-case problem
        (let ((params (critic--call command arguments)))
          (if eglot
              (jsonrpc-request eglot :workspace/executeCommand params)
            (lsp-request "workspace/executeCommand" params)))
      (jsonrpc-error
       (user-error "%s" (alist-get 'jsonrpc-error-message (cddr problem)
                                   "The server failed")))
      (error (user-error "%s" (error-message-string problem))))))

(defun critic--request-async (done command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS, and call DONE with the result.
DONE is called in this buffer.  A failure is passed over.  Return
nil if the server does not run."
  (let* ((buffer (current-buffer))
         (eglot (critic--eglot-server))
         (lsp--cur-workspace (critic--lsp-workspace))
         (done (lambda (result)
                 (when (buffer-live-p buffer)
                   (with-current-buffer buffer (funcall done result))))))
    (when (or eglot lsp--cur-workspace)
      (critic--flush)
      (let ((params (critic--call command arguments)))
        (if eglot
            (jsonrpc-async-request
             eglot :workspace/executeCommand params
             :success-fn done :error-fn #'ignore :timeout-fn #'ignore)
          (lsp-request-async "workspace/executeCommand" params done
                             :mode 'detached :error-handler #'ignore)))
      t)))

;;;; The server's edits

(defun critic--busy-p ()
  "Return non-nil if this is no moment for the server to edit.
A command that reads keys, as `query-replace' does, may know
places in the buffer as numbers.  An input method shows what is
not decided yet as text, without telling anyone."
  (or inhibit-modification-hooks
      (and this-command (not critic--asking))))

(defun critic--take-edit (path apply)
  "Let the server edit the file at PATH by calling APPLY.
Return what is to be answered."
  (if (critic--busy-p)
      (list :applied :json-false :failureReason "busy")
    (let ((buffer (and path (find-buffer-visiting path))))
      (with-current-buffer (or buffer (current-buffer))
        (critic--edit buffer apply)))))

(defvar critic--editing nil
  "Whether an edit of the server is being made.")

(defun critic--edit (buffer apply)
  "Edit the current buffer by calling APPLY.
BUFFER is the same, or nil if the file is not open."
  ;; What has been typed raises the version, and the edit is refused if it does
  ;; not know of that.
  (when buffer (critic--flush))
  (let ((undo buffer-undo-list)
        (critic--editing t)
        ;; Both clients would ask, and take what is being typed for the answer.
        (query-about-changed-file nil)
        (inhibit-message t)
        (message-log-max nil)
        done)
    (when (member critic--asking '(nil "mark")) (critic--join-undo))
    (unwind-protect
        (prog1 (funcall apply)
          ;; By itself: the server is to know its edit again.
          (when buffer (critic--flush))
          (setq done t))
      (unless done (setq buffer-undo-list undo)))))

(defun critic--join-undo ()
  "Let the next change be undone together with the last one.
Not if the last one was an undo."
  (when (and (consp buffer-undo-list) (null (car buffer-undo-list)))
    (let ((changes (seq-drop-while #'null buffer-undo-list)))
      (unless (gethash changes undo-equiv-table)
        (setq buffer-undo-list changes)))))

;; While Emacs waits to write what an edit has changed, it reads.  An answer
;; that comes then ends what waits for it with a `throw', and the edit with it:
;; half made, without its undo, or with no change told any more.

(defvar critic--late nil
  "Messages that came while an edit was made, the last one first.
Each is the function that takes it, and its arguments.")

(defun critic--receive (receive &rest message)
  "Call RECEIVE with MESSAGE, but not while an edit is made."
  (if (not (or critic--editing critic--late))
      (apply receive message)
    (unless critic--late (run-at-time 0 nil #'critic--receive-late))
    (push (cons receive message) critic--late)))

(defun critic--receive-late ()
  "Take the first message that has been kept, and the others after it."
  (if critic--editing
      (run-at-time 0.01 nil #'critic--receive-late)
    (pcase-let ((`((,receive . ,message)) (last critic--late)))
      (setq critic--late (butlast critic--late))
      (when critic--late (run-at-time 0 nil #'critic--receive-late))
      (apply receive message))))

;; Both clients make each edit by `replace-buffer-contents', which compares
;; letter by letter: an edit of everything would take many seconds, and its
;; undo, with thousands of steps to be told, minutes.

(defconst critic--many 64
  "As many edits are made without a comparison of what they replace.")

(defun critic--apply-many (edits)
  "Make EDITS, sorted and disjoint, in one step of undo."
  (let ((regions (mapcar (lambda (edit)
                           (let ((range (critic--get edit :range)))
                             (list (critic--point (critic--get range :start))
                                   (critic--point (critic--get range :end))
                                   (critic--get edit :newText))))
                         edits)))
    (atomic-change-group
      (let ((group (prepare-change-group)))
        (save-excursion
          ;; Told as one change: lsp-mode would write hundreds of messages.
          (combine-change-calls (caar regions) (cadar (last regions))
            (pcase-dolist (`(,beg ,end ,text) (nreverse regions))
              (goto-char beg)
              (delete-region beg end)
              (insert text))))
        (undo-amalgamate-change-group group)))))

(defun critic--apply-for-eglot (apply edits &optional version &rest more)
  "Make EDITS of the text with VERSION, or let APPLY do it, with MORE."
  (if (and (bound-and-true-p critic-mode)
           (>= (length edits) critic--many)
           (boundp 'eglot--versioned-identifier)
           (member version (list nil eglot--versioned-identifier)))
      (critic--apply-many edits)
    (apply apply edits version more)))

(defun critic--apply-edits-for-lsp (apply edits &rest more)
  "Make EDITS, or let APPLY do it, with MORE."
  (if (and (bound-and-true-p critic-mode) (>= (length edits) critic--many))
      (critic--apply-many edits)
    (apply apply edits more)))

(defun critic--edited-uri (edit)
  "Return the URI of the document that EDIT, a `WorkspaceEdit', is about."
  (when-let* ((documents (critic--get edit :documentChanges))
              ((not (seq-empty-p documents))))
    (critic--get (critic--get (elt documents 0) :textDocument) :uri)))

(defconst critic--settings '(:marking "idle" :maxChanges 50)
  "What the server is told, unless `critic-settings' says something else.
Both clients look for the line of each change in a list from the
beginning of the text on, after each pause.")

(defun critic--initialization-options ()
  "Return the settings for the server."
  (let ((settings critic-settings))
    (dolist (key '(:marking :maxChanges) settings)
      (unless (plist-member settings key)
        (setq settings
              (append settings
                      (list key (plist-get critic--settings key))))))))

;;;; Eglot

(with-eval-after-load 'eglot
  (defclass critic-eglot-server (eglot-lsp-server) ()
    "The server as Eglot runs it.")

  (cl-defmethod eglot-initialization-options ((_server critic-eglot-server))
    "Return what the server is told when it starts."
    (critic--initialization-options))

  (cl-defmethod initialize-instance :around
    ((server critic-eglot-server) &optional slots)
    "Make SERVER from SLOTS, without a log of what is said unless it is wanted.
The log takes as long as all else that is done for a message."
    (unless critic-log-messages
      (setq slots
            (if (plist-member slots :events-buffer-config)
                (plist-put slots :events-buffer-config '(:size 0 :format full))
              (plist-put slots :events-buffer-scrollback-size 0))))
    (cl-call-next-method server slots))

  (cl-defmethod eglot-handle-request
    ((_server critic-eglot-server) (_method (eql 'workspace/applyEdit))
     &rest params)
    "Apply the edit in PARAMS without a question."
    ;; Not buffer-local: this is not called in the buffer that is edited.
    (let* ((eglot-confirm-server-initiated-edits nil)
           (eglot-confirm-server-edits nil)
           (uri (critic--edited-uri (plist-get params :edit)))
           (path (cond ((null uri) nil)
                       ((fboundp 'eglot-uri-to-path) (eglot-uri-to-path uri))
                       (t (eglot--uri-to-path uri)))))
      (critic--take-edit path (lambda () (cl-call-next-method)))))

  (cl-defmethod eglot-handle-request :around
    ((_server critic-eglot-server) (_method (eql 'window/showDocument))
     &rest _params)
    "Leave it to the command where point goes, if a command waits."
    (if critic--asking '(:success t) (cl-call-next-method)))

  (if (fboundp 'eglot-execute)
      (cl-defmethod eglot-execute :around
        ((_server critic-eglot-server) _action)
        "Take the edits that an action leads to at once."
        (let ((critic--asking t)) (cl-call-next-method)))
    (cl-defmethod eglot-execute-command :around
      ((_server critic-eglot-server) _command _arguments)
      "Take the edits that a command leads to at once."
      (let ((critic--asking t)) (cl-call-next-method)))))

(defun critic--keep-apart (id &optional distance)
  "Have each change of a command reported by itself, in Eglot since 1.16.
ID is that of the tracker; with a DISTANCE, another change is
about to be made.  Eglot would report both as one, with what is
between them as if it had been typed anew."
  (when (and distance (bound-and-true-p critic-mode))
    (eglot--track-changes-fetch id)))

(defun critic--start-eglot ()
  "Let Eglot run the server in this buffer."
  (require 'eglot)
  (critic--set 'eglot-server-programs
               (cons (append (list major-mode 'critic-eglot-server)
                             critic-server-command)
                     (default-value 'eglot-server-programs)))
  ;; Every keystroke at once: the server is not to work on an old text.
  (critic--set 'eglot-send-changes-idle-time 0)
  (when (fboundp 'eglot--track-changes-signal)
    ;; There is no other way to be asked: a change that is fetched at another
    ;; time, as before each change, makes the tracker lose its place.
    (advice-add 'eglot--track-changes-signal :before #'critic--keep-apart))
  (advice-add 'eglot--apply-text-edits :around #'critic--apply-for-eglot)
  (advice-add 'jsonrpc-connection-receive :around #'critic--receive)
  (add-hook 'eglot-managed-mode-hook #'critic--schedule nil t)
  (eglot-ensure))

;;;; lsp-mode

(defun critic--lsp-capabilities ()
  "Return what lsp-mode 8 can do, but does not tell: it counts characters."
  (unless (assq 'general (lsp--client-capabilities))
    '((general . ((positionEncodings . ["utf-32"]))))))

(with-eval-after-load 'lsp-mode
  (add-to-list 'lsp-language-id-configuration
               '(markdown-ts-mode . "markdown") 'append)
  (let ((requests (make-hash-table :test #'equal))
        (actions (make-hash-table :test #'equal)))
    (puthash "workspace/applyEdit" #'critic--apply-for-lsp requests)
    (puthash "window/showDocument" #'critic--show-for-lsp requests)
    (dolist (command '("accept" "reject" "acceptAll" "rejectAll"
                       "removeAnnotations" "toggleTracking"))
      (puthash (concat "critic." command) #'critic--execute-for-lsp actions))
    (lsp-register-client
     (make-lsp-client
      :new-connection (lsp-stdio-connection (lambda () critic-server-command))
      :activation-fn (lambda (_file _mode) (bound-and-true-p critic-mode))
      :add-on? t
      :server-id 'critic-lsp
      :custom-capabilities (critic--lsp-capabilities)
      :initialization-options #'critic--initialization-options
      :request-handlers requests
      :action-handlers actions))))

(defun critic--apply-for-lsp (_workspace params)
  "Apply the edit in PARAMS, and return the answer."
  (let* ((edit (critic--get params :edit))
         (uri (critic--edited-uri edit)))
    (condition-case problem
        (critic--take-edit (and uri (lsp--uri-to-path uri))
                           (lambda ()
                             (lsp--apply-workspace-edit edit 'server-requested)
                             '(:applied t)))
      (error (list :applied :json-false
                   :failureReason (error-message-string problem))))))

(defun critic--show-for-lsp (_workspace params)
  "Show what PARAMS say, unless a command waits and will move point."
  (list :success (if (or critic--asking (lsp--window-show-document params))
                     t
                   :json-false)))

(defun critic--execute-for-lsp (action)
  "Execute ACTION, a command of the server, and take its edits at once."
  (let ((critic--asking t)
        (lsp--cur-workspace (critic--lsp-workspace)))
    (lsp-request "workspace/executeCommand"
                 (list :command (critic--get action :command)
                       :arguments (critic--get action :arguments)))))

(defun critic--reopen-for-lsp ()
  "Tell the server that the text was read anew, and that no one changed it.
For lsp-mode, that is a change as any other."
  (when-let ((lsp--cur-workspace (critic--lsp-workspace)))
    (save-restriction
      (widen)
      (let* ((id (list :uri (lsp--buffer-uri)))
             (text (buffer-substring-no-properties (point-min) (point-max)))
             (item (list :languageId (lsp-buffer-language)
                         :version lsp--cur-version
                         :text text)))
        (lsp-notify "textDocument/didClose" (list :textDocument id))
        (lsp-notify "textDocument/didOpen"
                    (list :textDocument (append id item)))))))

(defun critic--start-lsp ()
  "Let lsp-mode run the server in this buffer."
  (require 'lsp-mode)
  (advice-add 'lsp--apply-text-edits :around #'critic--apply-edits-for-lsp)
  (advice-add 'lsp--parser-on-message :around #'critic--receive)
  (add-hook 'after-revert-hook #'critic--reopen-for-lsp 'append t)
  (add-hook 'lsp-managed-mode-hook #'critic--schedule nil t)
  (lsp-deferred))

;;;; Status

(defvar critic--delay 0.5
  "How many seconds after a change the status is asked for.")

(defvar-local critic--status nil
  "What the server last told of this document.")

(defvar-local critic--timer nil
  "The timer that asks for the status.")

(defun critic--schedule (&rest _)
  "Ask for the status soon."
  (when (timerp critic--timer) (cancel-timer critic--timer))
  (setq critic--timer
        (run-with-timer critic--delay nil #'critic--refresh (current-buffer))))

(defun critic--refresh (buffer)
  "Ask for the status of BUFFER."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq critic--timer nil)
      (when critic-mode
        (unless (critic--request-async #'critic--show-status "status")
          (critic--show-status nil))))))

(defun critic--show-status (status)
  "Show STATUS in the mode line, and bring the list up to date."
  (setq critic--status status)
  (force-mode-line-update)
  (when (get-buffer-window (critic--list-name) t)
    (critic--request-async #'critic--print-list "changes")))

(defun critic--lighter ()
  "Return the text for the mode line."
  (let ((changes (critic--get critic--status :changes))
        (pending (critic--get critic--status :pending)))
    (concat " Critic"
            (cond ((null changes) nil)
                  ((not (eq (critic--get critic--status :tracking) t)) ":off")
                  ((> pending 0) (format ":%d+" changes))
                  (t (format ":%d" changes))))))

;;;; Commands

(defun critic--bounds ()
  "Return the beginning and end of the region, or point twice."
  (if (use-region-p)
      (list (region-beginning) (region-end))
    (list (point) (point))))

(defun critic--keep (bounds)
  "Return BOUNDS as markers that keep out what is inserted at them."
  (let ((empty (apply #'= bounds)))
    (list (copy-marker (car bounds) (not empty)) (copy-marker (cadr bounds)))))

(defun critic--act (command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS on the region or at point.
Return what it answers."
  (prog1 (apply #'critic--request command
                :range (apply #'critic--range (critic--bounds))
                arguments)
    (deactivate-mark)))

(defun critic-accept ()
  "Accept the change at point, or those in the region."
  (interactive "*")
  (critic--act "accept"))

(defun critic-reject ()
  "Reject the change at point, or those in the region."
  (interactive "*")
  (critic--act "reject"))

(defun critic--act-and-next (command)
  "Let the server do COMMAND on the region or at point, and go on."
  (let ((found (critic--act command)))
    (if found
        (critic--visit (car (critic--ends found)))
      (message "No more changes"))))

(defun critic-accept-and-next ()
  "Accept the change at point, or those in the region, and go to the next."
  (interactive "*")
  (critic--act-and-next "acceptAndNext"))

(defun critic-reject-and-next ()
  "Reject the change at point, or those in the region, and go to the next."
  (interactive "*")
  (critic--act-and-next "rejectAndNext"))

(defun critic-accept-all ()
  "Accept every change, but no highlight and no comment that stands alone."
  (interactive "*")
  (critic--request "acceptAll" :position (critic--position (point))))

(defun critic-reject-all ()
  "Reject every change, but no highlight and no comment that stands alone."
  (interactive "*")
  (critic--request "rejectAll" :position (critic--position (point))))

(defun critic-remove-annotations ()
  "Remove every highlight and comment of the document."
  (interactive "*")
  (critic--request "removeAnnotations" :position (critic--position (point))))

(defun critic-highlight ()
  "Highlight the region."
  (interactive "*")
  (critic--act "highlight"))

(defvar critic-comment-history nil
  "The comments that were typed.")

(defun critic--read-comment (prompt)
  "Read a comment, asking with PROMPT."
  (read-string prompt nil 'critic-comment-history nil t))

(defun critic-comment (text &optional beg end)
  "Comment with TEXT on the region, or on the change at point.
From Lisp, BEG and END say on what."
  (interactive
   (progn
     (barf-if-buffer-read-only)
     ;; Marks may come in while the comment is written.
     (let ((bounds (critic--keep (critic--bounds))))
       (cons (critic--read-comment "Comment: ") bounds))))
  (when (string-empty-p text)
    (user-error "A comment without text was not written"))
  (let ((bounds (if beg (list beg (or end beg)) (critic--bounds))))
    (critic--request "comment" :range (apply #'critic--range bounds) :text text)
    (deactivate-mark)))

(defun critic-remove-comment ()
  "Remove the comment at point."
  (interactive "*")
  (critic--act "removeComment"))

(defun critic-toggle-tracking ()
  "Turn tracking on or off in this document."
  (interactive)
  (critic--request "toggleTracking")
  (critic-status))

(defun critic-mark ()
  "Mark what is pending now."
  (interactive)
  (critic--request "mark"))

(defun critic-status ()
  "Say whether tracking is on, and what there is to review."
  (interactive)
  (let ((status (critic--request "status")))
    (critic--show-status status)
    (message "Tracking %s, %s"
             (if (eq (critic--get status :tracking) t) "on" "off")
             (critic--get status :summary))))

(defun critic--ends (found)
  "Return the ends of the range of what was FOUND."
  (let ((range (critic--get found :range)))
    (list (critic--point (critic--get range :start))
          (critic--point (critic--get range :end)))))

(defun critic--visit (pos)
  "Move point to POS, also if the buffer is narrowed to something else."
  (unless (<= (point-min) pos (point-max)) (widen))
  (goto-char pos))

(defun critic--go (command)
  "Go to the change that COMMAND leads to."
  (let ((found (critic--request command :position (critic--position (point)))))
    (unless found (user-error "No change to go to"))
    (unless (or (region-active-p)
                (memq last-command
                      '(critic-next critic-previous critic-next-uncommented)))
      (push-mark nil t))
    (critic--visit (car (critic--ends found)))))

(defun critic-next ()
  "Go to the next change, and around at the end."
  (interactive)
  (critic--go "next"))

(defun critic-previous ()
  "Go to the change before, and around at the beginning."
  (interactive)
  (critic--go "previous"))

(defun critic-next-uncommented ()
  "Go to the next change without a comment, and around at the end."
  (interactive)
  (critic--go "nextUncommented"))

;; Where one goes to, ElDoc tells what happened.
(eldoc-add-command 'critic-next 'critic-previous 'critic-next-uncommented
                   'critic-list-visit)

(defun critic-annotate ()
  "Go to each change without a comment, and ask for its reason.
A change whose reason is left empty is passed over.  Quit to
stop."
  (interactive "*")
  (let ((overlay (make-overlay (point) (point)))
        (from (point))
        (passed nil)
        step start)
    (overlay-put overlay 'face 'highlight)
    (overlay-put overlay 'priority 100)
    (unwind-protect
        (while (and (setq step (critic--request "annotate" :position
                                                (critic--position from)))
                    (setq start (copy-marker (car (critic--ends step))))
                    (not (member start passed)))
          (critic--visit start)
          (apply #'move-overlay overlay (critic--ends step))
          (let ((text (critic--read-comment
                       (critic--why step (length passed)))))
            (if (string-empty-p text)
                (push start passed)
              (critic--request "comment" :position (critic--position start)
                               :text text)))
          (setq from (max (overlay-end overlay) (1+ start))))
      (delete-overlay overlay))
    (message (pcase (length passed)
               (0 "Every change has a comment")
               (1 "1 change is left without a comment")
               (left (format "%d changes are left without a comment" left))))))

(defun critic--why (step passed)
  "Return the question for STEP, when so many were PASSED over."
  (let* ((texts (list (critic--get step :old) (critic--get step :new)))
         (texts (seq-difference texts '(nil ""))))
    (format "Why %s? (%d to go, empty to pass over) "
            (mapconcat #'critic--quoted texts " → ")
            (- (critic--get step :left) passed))))

(defun critic--quoted (text)
  "Quote TEXT, on one line and not too long."
  (let ((line (critic--line text)))
    (format "“%s”" (truncate-string-to-width line 40 nil nil "…"))))

(defun critic-export (variant)
  "Show VARIANT of the document: \"clean\", \"original\" or \"markup\"."
  (interactive
   (list (completing-read "Variant: " '("clean" "original" "markup")
                          nil t nil nil "clean")))
  (let ((text (critic--request "export" :variant variant))
        (mode major-mode))
    (pop-to-buffer (format "*%s: %s*" variant (buffer-name)))
    (erase-buffer)
    (insert text)
    (goto-char (point-min))
    (funcall mode)
    (set-buffer-modified-p nil)))

;;;; The list of changes

(defvar-local critic--source nil
  "The document that this list is about.")

(defun critic--list-name ()
  "Return the name of the list that belongs to this buffer."
  (format "*Changes: %s*" (buffer-name)))

(defun critic-list ()
  "List every change of this document in another window."
  (interactive)
  (let ((changes (critic--request "changes")))
    (when (seq-empty-p changes) (message "No changes"))
    (pop-to-buffer (critic--print-list changes))))

(defun critic--print-list (found)
  "Write what was FOUND into the list of this buffer, and return its buffer.
A window that shows the list stays on its change, or on its line
if that change is gone."
  (let ((source (current-buffer))
        (rows (seq-map #'critic--row found)))
    (with-current-buffer (get-buffer-create (critic--list-name))
      (unless (derived-mode-p 'critic-list-mode) (critic-list-mode))
      (setq critic--source source)
      (setq tabulated-list-entries rows)
      (let ((places (mapcar #'critic--place (get-buffer-window-list nil t t))))
        (tabulated-list-print t)
        (pcase-dolist (`(,window . ,place) places)
          (set-window-point window (apply #'critic--row-start place))))
      (current-buffer))))

(defun critic--place (window)
  "Return WINDOW with the change that point is on in it, and the line."
  (let ((pos (window-point window)))
    (list window (tabulated-list-get-id pos) (line-number-at-pos pos))))

(defun critic--row-start (change line)
  "Return where the row of CHANGE is, or LINE if there is none."
  (save-excursion
    (goto-char (point-min))
    (while (not (or (eobp) (equal (tabulated-list-get-id) change)))
      (forward-line))
    (when (eobp)
      (goto-char (point-min))
      (forward-line (1- line)))
    (point)))

(defun critic--row (change)
  "Return CHANGE as a row of the list."
  (let ((pos (car (critic--ends change))))
    (list (copy-marker pos)
          (vector (number-to-string (line-number-at-pos pos t))
                  (critic--get change :kind)
                  (critic--told change)
                  (mapconcat #'critic--line (critic--get change :comments)
                             " | ")))))

(defun critic--told (change)
  "Return what CHANGE is about, in its colours."
  (let ((old (critic--get change :old))
        (new (critic--get change :new)))
    (string-join
     (delq nil (list (unless (equal old new)
                       (critic--coloured old 'critic-deletion))
                     (critic--coloured new (critic--new-face change))))
     " → ")))

(defun critic--coloured (text face)
  "Return TEXT on one line in FACE, or nil if there is none."
  (unless (member text '(nil ""))
    (propertize (critic--line text) 'face face)))

(defun critic--new-face (change)
  "Return the face of the text that CHANGE leads to."
  (pcase (critic--get change :kind)
    ("highlight" 'critic-highlight)
    ("comment" 'critic-comment)
    (_ 'critic-addition)))

(defun critic--line (text)
  "Return TEXT on one line."
  (replace-regexp-in-string "[ \t]*[\n\r]+[ \t]*" "⏎" text))

(defvar critic-list-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'critic-list-visit)
    (define-key map "o" #'critic-list-show)
    (define-key map "a" #'critic-list-accept)
    (define-key map "r" #'critic-list-reject)
    (define-key map "c" #'critic-list-comment)
    (define-key map "k" #'critic-list-remove-comment)
    map)
  "Keys of `critic-list-mode'.")

(define-derived-mode critic-list-mode tabulated-list-mode "Changes"
  "Mode of the list of changes.

\\{critic-list-mode-map}"
  (setq tabulated-list-format
        [("Line" 5 critic--earlier-p :right-align t)
         ("Kind" 12 t)
         ("Change" 40 t)
         ("Comments" 0 t)])
  (setq tabulated-list-padding 1)
  (setq tabulated-list-sort-key nil)
  (setq-local revert-buffer-function #'critic--revert-list)
  (tabulated-list-init-header))

(defun critic--earlier-p (row other)
  "Return non-nil if ROW is about an earlier place than OTHER."
  (< (car row) (car other)))

(defun critic--revert-list (&rest _)
  "Make the list anew."
  (with-current-buffer (critic--source-buffer)
    (critic--print-list (critic--request "changes"))))

(defun critic--source-buffer ()
  "Return the document that this list is about."
  (if (buffer-live-p critic--source)
      critic--source
    (user-error "The document is not open any more")))

(defun critic--row-position ()
  "Return where the change on this line is."
  (or (tabulated-list-get-id) (user-error "No change on this line")))

(defun critic--at-row (action)
  "Call ACTION with point at the change on this line.
Then make the list anew."
  (let ((pos (critic--row-position)))
    (with-current-buffer (critic--source-buffer)
      (save-excursion
        (critic--visit pos)
        (let ((mark-active nil)) (funcall action))))
    (revert-buffer)))

(defun critic-list-visit ()
  "Go to the change on this line."
  (interactive)
  (let ((pos (critic--row-position)))
    (pop-to-buffer (critic--source-buffer))
    (critic--visit pos)))

(defun critic-list-show ()
  "Show the change on this line in the other window."
  (interactive)
  (save-selected-window (critic-list-visit)))

(defun critic-list-accept ()
  "Accept the change on this line."
  (interactive)
  (critic--at-row #'critic-accept))

(defun critic-list-reject ()
  "Reject the change on this line."
  (interactive)
  (critic--at-row #'critic-reject))

(defun critic-list-comment (text)
  "Comment with TEXT on the change on this line."
  (interactive (list (critic--read-comment "Comment: ")))
  (critic--at-row (lambda () (critic-comment text))))

(defun critic-list-remove-comment ()
  "Remove the comment on the change on this line."
  (interactive)
  (critic--at-row #'critic-remove-comment))

;;;; Colours

(defconst critic--reach 20000
  "How many characters a mark may have to be shown in colours.")

(defun critic--code-p (pos)
  "Return non-nil if POS is in code, where nothing is a mark."
  (seq-intersection (ensure-list (get-text-property pos 'face))
                    '(markdown-code-face markdown-inline-code-face)))

(defun critic--match (opener closer limit)
  "Find the next mark, from OPENER to CLOSER, that begins before LIMIT.
Groups 1 to 3 are its opener, text and closer."
  (let (found)
    (while (and (not found) (search-forward opener limit t))
      (let ((start (match-beginning 0))
            (text (point)))
        (unless (or (eq (char-before start) ?\\) (critic--code-p start))
          (when-let ((bound (min (point-max) (+ text critic--reach)))
                     (end (critic--closer closer bound)))
            (goto-char (+ end (length closer)))
            (set-match-data
             (list start (point) start text text end end (point)))
            (setq found t)))))
    found))

(defun critic--closer (closer bound)
  "Return where the next CLOSER before BOUND is, rather outside of code."
  (save-excursion
    (let (first found)
      (while (and (not found) (search-forward closer bound t))
        (let ((start (match-beginning 0)))
          (setq first (or first start))
          (unless (critic--code-p start) (setq found start))))
      (or found first))))

(defun critic--match-substitution (limit)
  "Find the next substitution that begins before LIMIT.
Groups 1 to 5 are its opener, old text, arrow, new text and closer."
  (let (found)
    (while (and (not found) (critic--match "{~~" "~~}" limit))
      (pcase-let ((`(,start ,stop ,_ ,old ,_ ,_ ,end ,_) (match-data t)))
        (save-excursion
          (goto-char old)
          (when (search-forward "~>" end t)
            (let ((arrow (match-beginning 0))
                  (new (point)))
              (set-match-data
               (list start stop start old old arrow arrow new new end end stop))
              (setq found t))))))
    found))

(defun critic--keyword (opener closer face)
  "Return the rule that gives text between OPENER and CLOSER its FACE."
  `(,(apply-partially #'critic--match opener closer)
    (0 '(face nil font-lock-multiline t))
    (1 'critic-delimiter prepend)
    (2 ',face prepend)
    (3 'critic-delimiter prepend)))

(defconst critic--keywords
  `(,(critic--keyword "{++" "++}" 'critic-addition)
    ,(critic--keyword "{--" "--}" 'critic-deletion)
    (critic--match-substitution
     (0 '(face nil font-lock-multiline t))
     (1 'critic-delimiter prepend)
     (2 'critic-substitution-old prepend)
     (3 'critic-delimiter prepend)
     (4 'critic-substitution-new prepend)
     (5 'critic-delimiter prepend))
    ,(critic--keyword "{==" "==}" 'critic-highlight)
    ,(critic--keyword "{>>" "<<}" 'critic-comment))
  "What font-lock is to know of marks.")

(defconst critic--delimiters
  '("{\\+\\+\\|\\+\\+}" "{--\\|--}" "{~~\\|~~}" "{==\\|==}" "{>>\\|<<}")
  "What opens and closes each kind of mark.")

(defvar font-lock-beg)
(defvar font-lock-end)

(defun critic--extend-region ()
  "Let font-lock begin at the beginning of a mark that reaches into its region."
  (let ((start font-lock-beg)
        (bound (max (point-min) (- font-lock-beg critic--reach))))
    (dolist (delimiters critic--delimiters)
      (save-excursion
        (goto-char font-lock-beg)
        (when (and (re-search-backward delimiters bound t)
                   (eq (char-after) ?{))
          (setq start (min start (point))))))
    (when (< start font-lock-beg)
      (setq font-lock-beg start))))

;;;; Leaving the buffer

(defvar critic--current nil
  "The buffer that was selected last.")

(defun critic--notice-leaving (&rest _)
  "Mark what is pending in a buffer that is not selected any more."
  (let ((buffer (window-buffer (selected-window))))
    (unless (or (eq buffer critic--current) (minibufferp buffer))
      (when (buffer-live-p critic--current)
        (with-current-buffer critic--current
          (when (and (bound-and-true-p critic-mode)
                     critic-mark-on-leaving
                     (not (equal (critic--get critic--status :marking)
                                 "command")))
            (critic--request-async #'ignore "mark"))))
      (setq critic--current buffer))))

;;;; Keys

(defvar critic-command-map
  (let ((map (make-sparse-keymap)))
    (define-key map "a" #'critic-accept)
    (define-key map "r" #'critic-reject)
    (define-key map "f" #'critic-accept-and-next)
    (define-key map "d" #'critic-reject-and-next)
    (define-key map "A" #'critic-accept-all)
    (define-key map "R" #'critic-reject-all)
    (define-key map "c" #'critic-comment)
    (define-key map "k" #'critic-remove-comment)
    (define-key map "K" #'critic-remove-annotations)
    (define-key map "h" #'critic-highlight)
    (define-key map "t" #'critic-toggle-tracking)
    (define-key map "m" #'critic-mark)
    (define-key map "n" #'critic-next)
    (define-key map "p" #'critic-previous)
    (define-key map "u" #'critic-next-uncommented)
    (define-key map "l" #'critic-list)
    (define-key map "s" #'critic-status)
    (define-key map "w" #'critic-annotate)
    (define-key map "e" #'critic-export)
    map)
  "Keys behind `critic-keymap-prefix'.")

(defvar critic-repeat-map
  (let ((map (make-sparse-keymap)))
    (dolist (command '(critic-accept critic-reject critic-comment
                       critic-accept-and-next critic-reject-and-next
                       critic-next critic-previous critic-next-uncommented))
      (define-key map (where-is-internal command critic-command-map t) command)
      (put command 'repeat-map 'critic-repeat-map))
    map)
  "Keys that need no prefix right after one of them, with `repeat-mode'.")

(defvar critic-mode-map (make-sparse-keymap)
  "Keys of `critic-mode'.")

(defun critic--set-prefix (option prefix)
  "Set OPTION to PREFIX, and put the commands behind it."
  (when (boundp option)
    (define-key critic-mode-map (kbd (symbol-value option)) nil))
  (define-key critic-mode-map (kbd prefix) critic-command-map)
  (set-default option prefix))

(defcustom critic-keymap-prefix "C-c +"
  "The keys before the keys of `critic-command-map', as `kbd' takes them."
  :type 'string
  :set #'critic--set-prefix)

(easy-menu-define critic-menu critic-mode-map
  "Menu of `critic-mode'."
  '("Critic"
    ["Accept" critic-accept]
    ["Reject" critic-reject]
    ["Accept and Go to Next" critic-accept-and-next]
    ["Reject and Go to Next" critic-reject-and-next]
    ["Comment…" critic-comment]
    ["Remove Comment" critic-remove-comment]
    ["Highlight" critic-highlight :active (use-region-p)]
    "---"
    ["Next Change" critic-next]
    ["Previous Change" critic-previous]
    ["Next without a Comment" critic-next-uncommented]
    ["Give Reasons…" critic-annotate]
    ["List Changes" critic-list]
    "---"
    ["Accept All" critic-accept-all]
    ["Reject All" critic-reject-all]
    ["Remove Highlights and Comments" critic-remove-annotations]
    ["Export…" critic-export]
    "---"
    ["Track Changes" critic-toggle-tracking
     :style toggle :selected (eq (critic--get critic--status :tracking) t)]
    ["Mark Now" critic-mark]
    ["Status" critic-status]))

;;;; The modes

;;;###autoload
(define-minor-mode critic-mode
  "Record changes as CriticMarkup while you write, and review them.

The server critic-lsp does it, through Eglot or lsp-mode; see
`critic-client'.  When the mode is turned off the server goes on;
stop it as any other, or stop tracking with
\\[critic-toggle-tracking].

\\{critic-mode-map}"
  :lighter (:eval (critic--lighter))
  :keymap critic-mode-map
  (if critic-mode (critic--enable) (critic--disable))
  (font-lock-flush))

(defvar-local critic--kept nil
  "What `critic--set' has set, with what was there before.")

(defun critic--set (variable value)
  "Let VARIABLE be VALUE in this buffer until the mode is turned off."
  (unless (assq variable critic--kept)
    (push (cons variable (and (local-variable-p variable)
                              (list (symbol-value variable))))
          critic--kept))
  (set (make-local-variable variable) value))

(defun critic--restore ()
  "Undo `critic--set'."
  (pcase-dolist (`(,variable . ,before) critic--kept)
    (if before
        (set variable (car before))
      (kill-local-variable variable)))
  (setq critic--kept nil))

(defun critic--before-save ()
  "See to it that what is saved is marked.
Eglot 1.9 asks the server without having told what was typed, and
lsp-mode waits for its answer no longer than a tenth of a second."
  (critic--flush)
  (when (critic--lsp-workspace)
    (ignore-errors (critic--request "mark"))))

(defun critic--enable ()
  "Set this buffer up."
  (font-lock-add-keywords nil critic--keywords 'append)
  (add-hook 'font-lock-extend-region-functions #'critic--extend-region nil t)
  ;; Other packages show Markdown in buffers that have no file, for a moment.
  (when buffer-file-name
    (add-hook 'after-change-functions #'critic--schedule nil t)
    (add-hook 'before-save-hook #'critic--before-save -90 t)
    ;; A line end that is put behind the mark at the end of the text becomes
    ;; part of that mark, and at the next time the text is saved there would be
    ;; none again.
    (critic--set 'require-final-newline nil)
    (add-hook 'window-buffer-change-functions #'critic--notice-leaving)
    (add-hook 'window-selection-change-functions #'critic--notice-leaving)
    (critic--start)))

(defun critic--disable ()
  "Undo `critic--enable'."
  (font-lock-remove-keywords nil critic--keywords)
  (remove-hook 'font-lock-extend-region-functions #'critic--extend-region t)
  (remove-hook 'after-change-functions #'critic--schedule t)
  (remove-hook 'before-save-hook #'critic--before-save t)
  (remove-hook 'eglot-managed-mode-hook #'critic--schedule t)
  (remove-hook 'lsp-managed-mode-hook #'critic--schedule t)
  (remove-hook 'after-revert-hook #'critic--reopen-for-lsp t)
  (unless (seq-some (lambda (buffer) (buffer-local-value 'critic-mode buffer))
                    (buffer-list))
    (remove-hook 'window-buffer-change-functions #'critic--notice-leaving)
    (remove-hook 'window-selection-change-functions #'critic--notice-leaving)
    (advice-remove 'eglot--track-changes-signal #'critic--keep-apart))
  (when (timerp critic--timer) (cancel-timer critic--timer))
  (setq critic--timer nil critic--status nil)
  (critic--restore))

(defun critic--start ()
  "Start the server for this buffer, unless it is there."
  (let ((program (car critic-server-command)))
    (if (not (executable-find program (file-remote-p default-directory)))
        (display-warning
         'critic
         (format-message
          "Found no program %s; is it on the path?  See `critic-server-command'"
          program))
      (pcase (critic--client)
        ('eglot (critic--start-eglot))
        ('lsp-mode (critic--start-lsp))))))

(defun critic--client ()
  "Return what is to run the server: `eglot' or `lsp-mode'."
  (or critic-client
      (and (bound-and-true-p eglot--managed-mode) 'eglot)
      (and (featurep 'lsp-mode) 'lsp-mode)
      (and (or (featurep 'eglot) (locate-library "eglot")) 'eglot)
      'lsp-mode))

(defun critic--turn-on ()
  "Turn on `critic-mode' if this buffer is of a mode in `critic-modes'."
  (when (and buffer-file-name (memq major-mode critic-modes))
    (critic-mode)))

;;;###autoload
(define-globalized-minor-mode global-critic-mode critic-mode critic--turn-on
  :group 'critic)

(provide 'critic)

;;; critic.el ends here
