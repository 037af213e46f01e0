;;; critic.el --- Suggesting mode for plain text  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: text, wp
;; URL: https://critic-lsp.example/
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
(require 'outline)
(require 'seq)
(require 'subr-x)

(defvar critic--view)
(defvar critic-mode)
(declare-function eglot-managed-p "ext:eglot")

;;;; Options

(defgroup critic nil
  "Tracked changes in plain text."
  :group 'text
  :prefix "critic-")

(defcustom critic-server-command '("critic-lsp")
  "The server's program and its arguments."
  :type '(repeat string))

(defun critic--set-settings (option settings)
  "Set OPTION to SETTINGS, and tell them to each running server."
  (set-default option settings)
  (let (told)
    (dolist (buffer (buffer-list))
      (with-current-buffer buffer
        (when-let* ((critic-mode)
                    (client (critic--running))
                    (server (critic-client-server client))
                    ((not (memq server told))))
          (push server told)
          (critic-client-notify
           client "workspace/didChangeConfiguration"
           `(:settings (:critic ,(critic--initialization-options)))))))))

(defconst critic--switch
  '(choice (const :tag "yes" t) (const :tag "no" :json-false))
  "The type of a setting that is on or off.")

(defcustom critic-settings nil
  "What the server is told, as a property list.
For example (:tracking \"on\" :author \"anna\").  Unless it says
something else, changes are marked after a pause, which is safe
in Emacs with this package, and the lists of Flymake, Flycheck
and the outline hold the 50 changes nearest to the last edit;
\":maxChanges 0\" turns these lists off.

With \\[customize-option] or `setopt' it takes effect at once, only
that a setting which is taken out keeps its value until the server
is started anew.  With `setq' all of it waits for that."
  :type `(plist
          :options
          ((:tracking (choice (const "auto") (const "on") (const "off")))
           (:marking (choice (const "idle") (const "save") (const "command")))
           (:idleDelay (natnum :tag "milliseconds"))
           (:author string)
           (:maxChanges natnum)
           (:severity (choice (const "error") (const "warning")
                              (const "information") (const "hint")))
           (:frontMatter (choice (const "leave") (const "track")))
           (:codeLens ,critic--switch)
           (:inlayHints ,critic--switch)
           (:semanticTokens ,critic--switch)
           (:rememberTracking ,critic--switch)))
  :set #'critic--set-settings
  :initialize #'custom-initialize-default)

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

(defcustom critic-skip-deleted t
  "Whether commands pass over deleted text as if it were gone.
Then it is not replaced, words end before it and go on after it,
and it stays behind when text is killed or copied.  With point
inside it, or the region, it is text as any other."
  :type 'boolean)

(defcustom critic-search-deleted t
  "Whether incremental search finds deleted text.
What replaces, as `query-replace' does, passes over it all the
same; see `critic-skip-deleted'."
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

;; `markdown-mode' takes a substitution for text that is struck through.
(defface critic-substitution-new
  '((t :inherit critic-addition :strike-through nil))
  "Face of what it was replaced by.")

(defface critic-highlight '((t :inherit highlight))
  "Face of what is highlighted.")

(defface critic-comment '((t :inherit font-lock-comment-face :slant italic))
  "Face of comments.")

(defface critic-delimiter '((t :inherit shadow :strike-through nil))
  "Face of the signs that make a mark, as `{++'.")

(defconst critic--reach 20000
  "How many characters a mark may have to be known for one here.")

;;;; Talking to the server

(defconst critic--name "critic-lsp"
  "The name by which the server goes.")

(defvar critic--asking nil
  "What the server is asked to do while a command waits for it, or nil.")

;; What the clients have to do, in their own ways: see `critic-eglot' and
;; `critic-lsp-mode'.  CLIENT is `eglot' or `lsp-mode', and where it need not
;; run the server of this buffer, it may not be loaded either.

(defconst critic--clients (list 'eglot 'lsp-mode)
  "What can run the server.")

(cl-defgeneric critic-client-start (client)
  "Have CLIENT run the server in this buffer.")

(cl-defgeneric critic-client-server (_client)
  "Return the server of this buffer if CLIENT has it, or nil."
  nil)

(cl-defgeneric critic-client-leave (client)
  "Have CLIENT tell the server no more of this buffer.")

(cl-defgeneric critic-client-release (_client _last)
  "Undo in this buffer what starting CLIENT has set up.
LAST is non-nil if no other buffer is in `critic-mode'."
  nil)

(cl-defgeneric critic-client-leave-clone (_client)
  "Take this indirect buffer, which is new, from CLIENT."
  nil)

(cl-defgeneric critic-client-position (client pos)
  "Return POS as an LSP position, as CLIENT counts.")

(cl-defgeneric critic-client-point (client position)
  "Return the LSP POSITION as a position in the buffer, as CLIENT counts.")

(cl-defgeneric critic-client-uri (client)
  "Return the URI by which the server knows this buffer from CLIENT.")

(cl-defgeneric critic-client-flush (_client)
  "Have CLIENT send what was typed and is not sent yet."
  nil)

(cl-defgeneric critic-client-request (client method params)
  "Have CLIENT send METHOD with PARAMS, and return the result.")

(cl-defgeneric critic-client-request-async (client method params done)
  "Have CLIENT send METHOD with PARAMS, and call DONE with the result.")

(cl-defgeneric critic-client-notify (client method params)
  "Have CLIENT send METHOD with PARAMS, to which there is no answer.")

(cl-defgeneric critic-client-update-hints (_client)
  "Have CLIENT ask again for the inlay hints of the lines that are shown."
  nil)

(cl-defgeneric critic-client-imenu (_client)
  "Return the outline that CLIENT has from the server."
  nil)

(cl-defgeneric critic-client-return-imenu (_client)
  "Put back the outline in whose place CLIENT has put that of the server."
  nil)

(defun critic--running ()
  "Return the client that has the server of this buffer, or nil."
  (seq-find #'critic-client-server critic--clients))

(defun critic--need-client ()
  "Return the client that has the server of this buffer.
Signal an error if none does."
  (or (critic--running)
      (user-error "The server %s does not run in this buffer" critic--name)))

(defun critic--position (pos)
  "Return POS as an LSP position."
  (critic-client-position (critic--need-client) pos))

(defun critic--point (position)
  "Return the LSP POSITION as a position in the buffer."
  (critic-client-point (critic--need-client) position))

(defun critic--range (beg end)
  "Return the text between BEG and END as an LSP range."
  (list :start (critic--position beg) :end (critic--position end)))

(defun critic--get (object key)
  "Return what KEY has in OBJECT, which came from the server."
  (if (hash-table-p object)
      (gethash (substring (symbol-name key) 1) object)
    (plist-get object key)))

(defun critic--call (client command arguments)
  "Return the params for COMMAND with ARGUMENTS, a property list, through CLIENT."
  (list :command (format "critic.%s" command)
        :arguments (vector (append (list :uri (critic-client-uri client))
                                   arguments))))

(defun critic--flush ()
  "Send what was typed and is not sent yet."
  (critic-client-flush (critic--running)))

(defun critic--request (command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS, and return the result.
When it returns, what the command changes has been changed."
  (let ((critic--asking command)
        (client (critic--need-client)))
    (critic--flush)
    (condition-case problem
        (critic-client-request client "workspace/executeCommand"
                               (critic--call client command arguments))
      (jsonrpc-error
       (user-error "%s" (alist-get 'jsonrpc-error-message (cddr problem)
                                   "The server failed")))
      (error (user-error "%s" (error-message-string problem))))))

(defun critic--request-async (done command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS, and call DONE with the result.
DONE is called in this buffer.  A failure is passed over.  Return
nil if the server does not run."
  (when-let* ((client (critic--running)))
    (let ((buffer (current-buffer)))
      (critic--flush)
      (critic-client-request-async
       client "workspace/executeCommand" (critic--call client command arguments)
       (lambda (result)
         (when (buffer-live-p buffer)
           (with-current-buffer buffer (funcall done result)))))
      t)))

;;;; The server's edits

(defcustom critic-busy-functions '(critic-busy-modes-p)
  "Functions that say whether marks are to wait in the current buffer.
Each is called without arguments; if one returns non-nil, no mark
comes before it returns nil, not even when the file is saved.
It is for packages that edit several places of a buffer at once."
  :type 'hook)

(defvar critic-busy-modes
  '(iedit-mode iedit-rectangle-mode multiple-cursors-mode
    rectangular-region-mode evil-mc-cursor-list macrursors-mode)
  "Variables that are non-nil while a package edits several places at once.")

(defun critic-busy-modes-p ()
  "Return non-nil while one of `critic-busy-modes' is on."
  (seq-some (lambda (mode) (and (boundp mode) (symbol-value mode)))
            critic-busy-modes))

(defun critic--in-snippet-p ()
  "Return non-nil while a snippet of YASnippet or Tempel is filled in.
Fields repeat each other, with the marks that are put in them."
  (or (and (fboundp 'yas-active-snippets) (yas-active-snippets))
      (bound-and-true-p tempel--active)))

(defvar critic--saving nil
  "Whether marks are asked for because the buffer is being saved.")

(defun critic--held-p ()
  "Return non-nil if one of `critic-busy-functions' does.
A function that fails is passed over."
  (seq-some (lambda (function)
              (and (not (eq function t))
                   (ignore-errors (funcall function))))
            (if (memq t critic-busy-functions)
                (append critic-busy-functions
                        (default-value 'critic-busy-functions))
              critic-busy-functions)))

(defun critic--busy-p (&optional buffer)
  "Return non-nil if this is no moment for the server to edit BUFFER.
A command that reads keys, as `query-replace' does, may know
places in the buffer as numbers.  An input method shows what is
not decided yet as text, without telling anyone."
  (or inhibit-modification-hooks
      (and (member critic--asking '(nil "mark"))
           (with-current-buffer (or buffer (current-buffer))
             (or (critic--held-p)
                 (and (not critic--saving) (critic--in-snippet-p)))))
      (and this-command (not critic--asking))))

(defun critic--take-edit (path apply)
  "Let the server edit the file at PATH by calling APPLY.
Return what is to be answered."
  (let ((buffer (and path (find-buffer-visiting path))))
    (if (critic--busy-p buffer)
        (progn
          (when buffer (critic--put-off buffer))
          ;; The server's own words: it does not count this as a failure.
          (list :applied :json-false :failureReason "the editor is busy"))
      (with-current-buffer (or buffer (current-buffer))
        (critic--edit buffer apply)))))

(defvar critic--editing nil
  "Whether an edit of the server is being made.")

(defvar critic--put-off nil
  "Buffers whose marks were put off, each with its text's number then.")

(defun critic--put-off (buffer)
  "Have BUFFER marked when the command is over."
  (setf (alist-get buffer critic--put-off)
        (buffer-chars-modified-tick buffer))
  (add-hook 'post-command-hook #'critic--make-up))

(defun critic--make-up ()
  "Ask for what was put off, unless it still has to wait.
Not where the text has changed since: the server will mark it by
itself, and knows what is only half typed."
  (let (waiting)
    (pcase-dolist (`(,buffer . ,tick) critic--put-off)
      (when (and (buffer-live-p buffer)
                 (= tick (buffer-chars-modified-tick buffer)))
        (with-current-buffer buffer
          (if (or (critic--held-p) (critic--in-snippet-p))
              (push (cons buffer tick) waiting)
            (critic--request-async #'ignore "mark" :held :json-false)))))
    (unless (setq critic--put-off waiting)
      (remove-hook 'post-command-hook #'critic--make-up))))

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
          (when buffer
            ;; By itself: the server is to know its edit again.
            (critic--flush)
            (critic-client-update-hints (critic--running)))
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

;; What is deleted forward lies before point when it has its mark, so that the
;; same key goes on with what follows.  What is deleted backward lies after it;
;; and point must not stand between the signs of a delimiter that was eaten into
;; and put back, where both keys would mean the same.

(defvar-local critic--before nil
  "Where point was before this command.")

(defvar-local critic--deletion nil
  "Where point is since something was deleted there, or nil.
It is (POS . FORWARD), FORWARD non-nil if that followed point.")

(defun critic--note-point ()
  "Remember where point is before a command."
  (setq critic--before (point)))

(defun critic--note-deletion (beg end length)
  "Remember that LENGTH characters became those from BEG to END."
  (unless critic--editing
    (setq critic--deletion
          (and this-command critic--before (= beg end)
               (< 0 length)
               (cons beg (< critic--before (+ beg length)))))))

(defun critic--note-motion ()
  "Forget the deletion that point has left."
  (unless (eql (car critic--deletion) (point))
    (setq critic--deletion nil)))

(defvar-local critic--saves-unmarked nil
  "Whether the buffer is being saved without the marks of what is pending.")

(defun critic--keep-point (edits make)
  "Make EDITS by calling MAKE, and put point where the next key is to act.
Nothing is made for a save without marks."
  (unless (and critic--saves-unmarked (not critic--editing))
    (let ((deletion (and (eql (car critic--deletion) (point))
                         critic--deletion))
          ;; Point stays behind what is put anew.
          (after (and (bound-and-true-p critic-mode)
                      (critic--ends-at-point-p edits)
                      (copy-marker (point) t)))
          (inhibit-read-only (or inhibit-read-only critic--view))
          (critic--editing t))
      (prog1 (funcall make)
        (when after
          (goto-char after)
          (set-marker after nil))
        (when deletion
          (goto-char (if (cdr deletion)
                         (critic--after-deleted (point))
                       (critic--after-delimiter (point))))
          (setq critic--deletion (cons (point) (cdr deletion))))))))

(defun critic--ends-at-point-p (edits)
  "Return non-nil if the text that one of EDITS takes out ends at point."
  (when (critic--running)
    (let ((point (critic--line-and-character (critic--position (point)))))
      (seq-some
       (lambda (edit)
         (let* ((range (critic--get edit :range))
                (start (critic--line-and-character (critic--get range :start)))
                (end (critic--line-and-character (critic--get range :end))))
           (and (equal end point) (not (equal start point)))))
       edits))))

(defun critic--line-and-character (position)
  "Return what POSITION, one of LSP, consists of."
  (cons (critic--get position :line) (critic--get position :character)))

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

(defun critic--edited-uri (edit)
  "Return the URI of the document that EDIT, a `WorkspaceEdit', is about."
  (when-let* ((documents (critic--get edit :documentChanges))
              ((not (seq-empty-p documents))))
    (critic--get (critic--get (elt documents 0) :textDocument) :uri)))

(defconst critic--settings '((:marking "idle") (:maxChanges 50))
  "What the server is told, unless `critic-settings' says something else.
Both clients look for the line of each change in a list from the
beginning of the text on, after each pause.")

(defun critic--initialization-options ()
  "Return the settings for the server."
  (let ((settings critic-settings))
    (dolist (setting critic--settings settings)
      (unless (plist-member settings (car setting))
        (setq settings (append settings setting))))))

(defun critic--show-document (path selection)
  "Go to SELECTION in the file at PATH.
Where it holds text it becomes the region.  A command of this
package that waits leads where it wants by itself."
  (unless (stringp critic--asking)
    (pop-to-buffer (find-file-noselect path) '(display-buffer-same-window))
    (when selection
      (pcase-let ((`(,beg ,end) (critic--ends (list :range selection))))
        (critic--visit beg)
        (unless (= beg end)
          (push-mark end t t))))))

;;;; Status

(defvar critic--delay 0.5
  "How many seconds after a change the status is asked for.")

(defvar-local critic--status nil
  "What the server last told of this document.")

(defvar-local critic--timer nil
  "The timer that asks for the status.")

(defvar critic--longest-delay 30
  "At most so many seconds pass between two questions about what is pending.")

(defun critic--schedule (&rest _)
  "Ask for the status soon."
  (critic--ask-after critic--delay))

(defun critic--ask-after (delay)
  "Ask for the status in DELAY seconds, and not earlier."
  (when (timerp critic--timer) (cancel-timer critic--timer))
  (setq critic--timer
        (run-with-timer delay nil #'critic--refresh (current-buffer) delay)))

(defun critic--refresh (buffer delay)
  "Ask for the status of BUFFER, DELAY seconds after the last time.
What is pending can become settled without a change of the text,
so as long as something is, it is asked for again."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (setq critic--timer nil)
      (when critic-mode
        (unless (critic--request-async
                 (lambda (status)
                   (critic--show-status status)
                   (critic--mark-again delay)
                   (when (and (not critic--timer)
                              (< 0 (critic--get status :pending)))
                     (critic--ask-after
                      (min (* 2 delay) critic--longest-delay))))
                 "status")
          (critic--show-status nil))))))

(defvar-local critic--history nil
  "What the user did last with changes that have no marks.
Nil, or `undone' after undo or redo, or `edited' if the text has
been changed since.")

(defun critic--note-history (&rest _)
  "Note whether the user has changed the text, or undone a change."
  (setq critic--history (cond (critic--editing nil)
                              (undo-in-progress 'undone)
                              (critic--history 'edited))))

(defun critic--mark-again (delay)
  "Mark what is pending after a DELAY without a change, if it is an edit.
For the server, a change that is made again after its undo looks
like redo, which it does not mark."
  (when (and (eq critic--history 'edited)
             (<= (or (plist-get critic-settings :idleDelay) 750)
                 (* 1000 delay))
             (< 0 (critic--get critic--status :pending))
             (equal (critic--get critic--status :marking) "idle")
             (not (critic--held-p))
             (not (critic--in-snippet-p)))
    (setq critic--history nil)
    (critic--request-async #'ignore "mark" :halfTyped :json-false)))

(defun critic--show-status (status)
  "Show STATUS in the mode line, and bring the list up to date."
  (setq critic--status status)
  (when critic--view (critic--hide critic--view))
  (force-mode-line-update)
  (when (get-buffer-window (critic--list-name) t)
    (critic--request-async #'critic--print-list "changes")))

(defun critic--lighter ()
  "Return the text for the mode line."
  (let ((changes (critic--get critic--status :changes))
        (pending (critic--get critic--status :pending)))
    (concat " Critic"
            (cond ((not buffer-file-name) nil)
                  ((null changes) ":no server")
                  ((not (eq (critic--get critic--status :tracking) t)) ":off")
                  ((> pending 0) (format ":%d+" changes))
                  (t (format ":%d" changes)))
            (when (critic--marked-on-save-p) " on save")
            (when critic--view (format " %s" critic--view)))))

(defun critic--marked-on-save-p ()
  "Return non-nil if the server has given up marking before the text is saved."
  (and (equal (critic--get critic--status :marking) "save")
       (not (plist-member critic-settings :marking))))

;;;; Commands

(defun critic--bounds ()
  "Return the beginning and end of the region, or point twice."
  (if (use-region-p)
      (list (region-beginning) (region-end))
    (list (point) (point))))

(defun critic--bounds-or-word ()
  "Return the bounds of the region, of the word that point is on, or of point."
  (or (and (not (use-region-p))
           (looking-at-p "\\w")
           (when-let* ((word (bounds-of-thing-at-point 'word)))
             (list (car word) (cdr word))))
      (critic--bounds)))

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

(defun critic--act-on-all (done command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS on the whole document.
Then say how much was DONE, a word."
  (message "%s" (apply #'critic--telling done command
                       :position (critic--position (point)) arguments)))

(defun critic--telling (done command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS, and return how much was DONE."
  (let ((before (critic--request "status")))
    (apply #'critic--request command arguments)
    (critic--done done before (critic--request "status"))))

(defun critic--done (done before after)
  "Return how much was DONE from the status BEFORE to that AFTER."
  (let ((count (- (critic--get before :changes) (critic--get after :changes))))
    (if (and (= count 0) (< 0 (critic--get before :pending)))
        (format "%s what was not in marks yet" done)
      (format "%s %s" done (critic--counted count "change" "changes")))))

(defun critic--counted (count one many)
  "Return COUNT with what is counted, which is ONE or MANY."
  (format "%d %s" count (if (= count 1) one many)))

(defun critic-accept-all ()
  "Accept every change, but no highlight and no comment that stands alone."
  (interactive "*")
  (critic--act-on-all "Accepted" "acceptAll"))

(defun critic-reject-all ()
  "Reject every change, but no highlight and no comment that stands alone."
  (interactive "*")
  (critic--act-on-all "Rejected" "rejectAll"))

(defun critic-remove-annotations ()
  "Remove every highlight and comment of the document."
  (interactive "*")
  (critic--request "removeAnnotations" :position (critic--position (point)))
  (message "Removed every highlight and comment"))

(defconst critic--kinds '("addition" "deletion" "substitution")
  "The kinds of changes.")

(defun critic--read-kind (verb)
  "Ask for the kind of change to VERB."
  (list (completing-read (format "%s every: " verb) critic--kinds nil t)))

(defun critic-accept-kind (kind)
  "Accept every change of KIND in the document."
  (interactive (progn (barf-if-buffer-read-only) (critic--read-kind "Accept")))
  (critic--act-on-all "Accepted" "acceptAll" :kind kind))

(defun critic-reject-kind (kind)
  "Reject every change of KIND in the document."
  (interactive (progn (barf-if-buffer-read-only) (critic--read-kind "Reject")))
  (critic--act-on-all "Rejected" "rejectAll" :kind kind))

(defun critic--section ()
  "Return the beginning and end of the section that point is in."
  (save-excursion
    (condition-case nil (outline-back-to-heading t)
      (error (user-error "No heading before point")))
    (list (point) (progn (outline-end-of-subtree) (point)))))

(defun critic--act-on-section (done command)
  "Let the server do COMMAND on the section at point, and tell what was DONE."
  (message "%s under this heading"
           (critic--telling done command
                            :range (apply #'critic--range (critic--section)))))

(defun critic-accept-section ()
  "Accept what was changed under the heading that point is under."
  (interactive "*")
  (critic--act-on-section "Accepted" "accept"))

(defun critic-reject-section ()
  "Reject what was changed under the heading that point is under."
  (interactive "*")
  (critic--act-on-section "Rejected" "reject"))

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
  "Comment with TEXT on the region, or on the change or word at point.
From Lisp, BEG and END say on what."
  (interactive
   (progn
     (barf-if-buffer-read-only)
     ;; Marks may come in while the comment is written.
     (let ((bounds (critic--keep (critic--bounds-or-word))))
       (cons (critic--read-comment (critic--comment-prompt)) bounds))))
  (critic--comment text nil beg end))

(defun critic--comment (text category &optional beg end)
  "Comment with TEXT of CATEGORY, or of none, on the text from BEG to END.
Without BEG, on the region or the change at point."
  (when (string-empty-p text)
    (user-error "A comment without text was not written"))
  (let ((bounds (if beg (list beg (or end beg)) (critic--bounds))))
    (apply #'critic--request "comment"
           :range (apply #'critic--range bounds)
           :text text
           (when category (list :category category)))
    (deactivate-mark)))

(defun critic--comment-here ()
  "Return the comment at point or right before it, or on the change there."
  (let* ((marks (critic--marks (- (point) critic--reach)
                               (max (point-min) (1- (point)))
                               (min (point-max) (1+ (point)))))
         (comment (seq-find (lambda (mark) (eq (car mark) ?>)) marks)))
    (or comment
        (save-excursion
          (when-let ((mark (car (last marks))))
            (goto-char (nth 2 mark))
            (when (looking-at-p "{>>") (critic--mark-here)))))))

(defun critic--comment-prompt ()
  "Return what to ask with for a comment on the region or at point."
  (if (and (not (use-region-p)) (critic--comment-here)) "Answer: " "Comment: "))

(defconst critic--categories
  '("tone" "clarity" "structure" "grammar" "concision" "accuracy")
  "What a comment can be about, in so many words.")

(defun critic-comment-as (category text &optional beg end)
  "Comment with TEXT about CATEGORY.
The comment is on the region, or on the change or word at point;
from Lisp, BEG and END say on what."
  (interactive
   (progn
     (barf-if-buffer-read-only)
     (let ((bounds (critic--keep (critic--bounds-or-word)))
           (category (completing-read "About: " critic--categories nil t)))
       (append (list category (critic--read-comment "Comment: ")) bounds))))
  (critic--comment text category beg end))

(defun critic-answer (text)
  "Answer with TEXT to the comment at point."
  (interactive
   (progn
     (barf-if-buffer-read-only)
     (critic--place-in-comment)
     (list (critic--read-comment "Answer: "))))
  (critic--comment text nil (critic--place-in-comment)))

(defun critic-edit-comment (text)
  "Let the comment at point say TEXT."
  (interactive
   (progn
     (barf-if-buffer-read-only)
     (let ((start (critic--place-in-comment))
           (stop (- (nth 2 (critic--comment-here)) 3)))
       (list (read-string "Comment: "
                          (critic--without-head
                           (buffer-substring-no-properties start stop))
                          'critic-comment-history nil t)))))
  (critic--request "editComment" :text text
                   :position (critic--position (critic--place-in-comment))))

(defun critic--place-in-comment ()
  "Return where the comment at point begins to say something."
  (let ((comment (critic--comment-here)))
    (unless comment (user-error "There is no comment here"))
    (+ 3 (nth 1 comment))))

(defun critic--without-head (comment)
  "Return COMMENT without its author and date."
  (replace-regexp-in-string "\\`@\\(?:[^ :|\n]\\|:[^ \n]\\)+\\(?: | [-0-9T:]+\\)?\\(?:: \\| | \\)"
                            "" comment))

(defun critic-remove-comment ()
  "Remove the comment at point."
  (interactive "*")
  (critic--act "removeComment"))

(defun critic-toggle-tracking ()
  "Turn tracking on or off in this document."
  (interactive)
  (critic--request "toggleTracking")
  (critic-status))

(defun critic-record-meanwhile ()
  "Record what was changed while nobody recorded it.
For this document, where a message said that there is such."
  (interactive "*")
  (critic--request "recordMeanwhile"))

(defun critic-take-as-original ()
  "Take what was changed while nobody recorded it as original text.
For this document, where a message said that there is such."
  (interactive "*")
  (critic--request "takeAsOriginal"))

(defun critic-mark ()
  "Mark what is pending now."
  (interactive)
  (when (critic--held-p)
    (user-error "Marks wait for what edits several places"))
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
        problem step start)
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
                       (concat (critic--told-problem problem)
                               (critic--why step (length passed))))))
            (setq problem nil)
            (if (string-empty-p text)
                (push start passed)
              (condition-case failure
                  (critic--request "comment" :position (critic--position start)
                                   :text text)
                (error (setq problem failure)
                       (push start passed)))
              ;; Each comment is a step of undo.
              (undo-boundary)))
          (setq from (max (overlay-end overlay) (1+ start))))
      (delete-overlay overlay))
    (message (pcase (length passed)
               (0 "Every change has a comment")
               (1 "1 change is left without a comment")
               (left (format "%d changes are left without a comment" left))))))

(defun critic--told-problem (problem)
  "Return PROBLEM, an error or nil, as the beginning of a question."
  (if problem (format "[%s] " (error-message-string problem)) ""))

(defun critic--why (step passed)
  "Return the question for STEP, when so many were PASSED over."
  (format "Why %s? (%d to go, empty to pass over) "
          (critic--texts-told step)
          (- (critic--get step :left) passed)))

(defconst critic--answers
  '((?a "accept" "Make it part of the text")
    (?r "reject" "Let the text be what it was")
    (?s "skip" "Leave it as it is")
    (?c "comment" "Write a comment on it, and decide then")
    (?q "quit" "Stop here"))
  "What can be done with each change in `critic-review'.")

(defun critic-review ()
  "Go from change to change, and ask what is to become of each.
It begins at point and goes around at the end.  What was decided
for one change is one step of undo.  What cannot be done is told,
and asked about again."
  (interactive "*")
  (let* ((steps (or (critic--steps) (user-error "No changes")))
         (overlay (make-overlay (point) (point)))
         (problem nil)
         (done 0))
    (overlay-put overlay 'face 'highlight)
    (overlay-put overlay 'priority 100)
    (push-mark nil t)
    (unwind-protect
        (while steps
          (pcase-let ((`(,what ,beg ,end) (car steps)))
            ;; What fails must not end this: the next key would be typed.
            (condition-case failure
                (progn
                  (critic--visit beg)
                  (move-overlay overlay beg end)
                  (pcase (car (read-multiple-choice
                               (concat (critic--told-problem
                                        (prog1 problem (setq problem nil)))
                                       (format "%s (%d to go)"
                                               what (length steps)))
                               critic--answers))
                    (?q (setq steps nil))
                    (?c (let ((text (critic--read-comment "Comment: ")))
                          (unless (string-empty-p text)
                            (critic-comment text beg))))
                    (?s (pop steps))
                    (answer
                     (critic--request (if (eq answer ?a) "accept" "reject")
                                      :range (critic--range beg end))
                     (setq done (1+ done))
                     (pop steps))))
              (error (setq problem failure)))
            (undo-boundary)))
      (delete-overlay overlay))
    (message "%s decided" (critic--counted done "change" "changes"))))

(defun critic--steps ()
  "Return each change with what it is and its ends, from point on and around."
  (let* ((changes (seq-filter
                   (lambda (change)
                     (member (critic--get change :kind)
                             critic--kinds))
                   (critic--request "changes")))
         (steps (seq-map (lambda (change)
                           (cons (critic--change-told change)
                                 (mapcar #'copy-marker (critic--ends change))))
                         changes))
         (here (point)))
    (append (seq-filter (lambda (step) (< here (nth 2 step))) steps)
            (seq-remove (lambda (step) (< here (nth 2 step))) steps))))

(defun critic--change-told (change)
  "Return what CHANGE is, in words."
  (format "%s %s" (capitalize (critic--get change :kind))
          (critic--texts-told change)))

(defun critic--texts-told (change)
  "Return the texts of CHANGE, quoted."
  (mapconcat #'critic--quoted
             (seq-difference (list (critic--get change :old)
                                   (critic--get change :new))
                             '(nil ""))
             " → "))

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

;;;; Views

(defvar-local critic--view nil
  "What is shown instead of the marked-up text: `clean', `original', or nil.")

(defvar-local critic--was-read-only nil
  "Whether the buffer was read-only before it was shown without marks.")

(defun critic-view (view)
  "Show the text as VIEW has it: `clean', `original', or nil for all of it.
Without an argument the three follow each other.  What is not
shown is still there; as long as it isn't, the text is read-only."
  (interactive
   (list (pcase critic--view ('nil 'clean) ('clean 'original))))
  (when (and view (not critic--view))
    (when (critic--running) (critic--request "mark" :held :json-false))
    (setq critic--was-read-only buffer-read-only)
    (setq buffer-read-only t)
    (add-to-invisibility-spec 'critic))
  (when (and critic--view (not view))
    (setq buffer-read-only critic--was-read-only)
    (remove-from-invisibility-spec 'critic))
  (setq critic--view view)
  (critic--hide view)
  (force-mode-line-update)
  (when (called-interactively-p 'interactive)
    (message "Showing the %s text%s" (or view "marked-up")
             (if view ", read-only" ""))))

(defun critic--hide (view)
  "Hide what VIEW does not have."
  (save-restriction
    (widen)
    (remove-overlays nil nil 'category 'critic-hidden)
    (when view
      (dolist (mark (critic--marks (point-min) (point-min) (point-max)))
        (pcase-dolist (`(,beg . ,end) (critic--not-in view mark))
          (let ((overlay (make-overlay beg end nil t)))
            (overlay-put overlay 'category 'critic-hidden)))))))

(put 'critic-hidden 'invisible 'critic)
(put 'critic-hidden 'evaporate t)

(defun critic--not-in (view mark)
  "Return the stretches of MARK that VIEW does not have."
  (pcase-let* ((`(,kind ,start ,stop ,divider) mark)
               (opener (+ start 3))
               (closer (- stop 3)))
    (pcase (list kind view)
      ('(?~ clean) `((,start . ,(+ divider 2)) (,closer . ,stop)))
      ('(?~ original) `((,start . ,opener) (,divider . ,stop)))
      ((or '(?+ clean) '(?- original) `(?= ,_))
       `((,start . ,opener) (,closer . ,stop)))
      (_ `((,start . ,stop))))))

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
      (setq mode-name (concat "Changes" (critic--list-counts found)))
      (let ((places (mapcar #'critic--place (get-buffer-window-list nil t t))))
        (tabulated-list-print t)
        (pcase-dolist (`(,window . ,place) places)
          (set-window-point window (apply #'critic--row-start place))))
      (current-buffer))))

(defun critic--list-counts (found)
  "Return for the mode line how much was FOUND."
  (let* ((kinds (seq-map (lambda (change) (critic--get change :kind)) found))
         (others (length (seq-difference kinds critic--kinds))))
    (format ":%d%s" (- (length kinds) others)
            (if (= others 0) "" (format ", %d more" others)))))

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

;;;; The text as it is seen

(defconst critic--opener "{\\(?:\\+\\+\\|--\\|~~\\|==\\|>>\\)"
  "What opens a mark.")

(defconst critic--delimiter
  (concat critic--opener "\\|\\(?:\\+\\+\\|--\\|~~\\|==\\|<<\\)}\\|~>")
  "What begins or ends the parts of a mark.")

(defun critic--mark-here ()
  "Return the mark that opens at point, as (KIND START STOP DIVIDER).
KIND is the character after its brace; DIVIDER is where the old
text of a substitution ends.  Return nil if none does."
  (let ((start (point))
        (bound (min (point-max) (+ (point) critic--reach))))
    (save-excursion
      (forward-char 3)
      (when-let ((closer (pcase (char-after (1+ start))
                           (?+ "++}") (?- "--}") (?~ "~~}")
                           (?= "==}") (?> "<<}")))
                 ((not (eq (char-before start) ?^)))
                 ;; Two backslashes are a backslash.
                 ((zerop (save-excursion
                           (goto-char start)
                           (% (skip-chars-backward "\\\\") 2))))
                 ((not (critic--code-p start)))
                 (stop (save-excursion (critic--closer closer bound))))
        (if (not (equal closer "~~}"))
            (list (char-after (1+ start)) start (+ stop 3) nil)
          (when (search-forward "~>" stop t)
            (list ?~ start (+ stop 3) (match-beginning 0))))))))

(defun critic--marks (from beg end)
  "Return each mark that reaches into the text between BEG and END.
Those before FROM are not looked for."
  (save-match-data
    (save-excursion
      (goto-char (max (point-min) from))
      (let ((bound (min (point-max) (+ end 2)))
            marks)
        (while (and (< (point) bound)
                    (re-search-forward critic--opener bound t))
          (goto-char (match-beginning 0))
          (pcase (critic--mark-here)
            ('nil (forward-char 3))
            ((and mark `(,kind ,start ,stop ,_))
             (when (and (< beg stop) (< start end)) (push mark marks))
             ;; Deleted text and comments hold nothing; the others can.
             (goto-char (if (memq kind '(?- ?>)) stop (+ start 3))))))
        (nreverse marks)))))

(defvar-local critic--last-deletion nil
  "What was found last, as (TICK POS MARK): MARK opens last up to POS.
It holds as long as the text has the number TICK.")

(defun critic--deletion-before (pos)
  "Return the deletion or substitution that opens last up to POS, or nil."
  (pcase-let* ((tick (buffer-chars-modified-tick))
               (`(,known-tick ,known-pos ,known) critic--last-deletion)
               ;; Words are asked for one after the other, a whole text long.
               (goes-on (and (eql tick known-tick)
                             (<= known-pos pos (+ known-pos critic--reach)))))
    (save-match-data
      (save-excursion
        (goto-char (min (point-max) (+ pos 3)))
        (let ((mark (cond ((re-search-backward
                            "{\\(?:--\\|~~\\)"
                            (max (point-min)
                                 (if goes-on known-pos (- pos critic--reach)))
                            t)
                           (critic--mark-here))
                          (goes-on known))))
          (setq critic--last-deletion (list tick pos mark))
          mark)))))

(defun critic--deleted-at (pos)
  "Return the ends of the deleted text that POS is in, with its delimiters."
  (pcase (critic--deletion-before pos)
    (`(,_ ,start ,stop ,divider)
     (let ((end (if divider (+ divider 2) stop)))
       (and (<= start pos) (< pos end) (cons start end))))))

(defun critic--after-deleted (pos)
  "Return where the deleted text that POS is in or before ends, or POS."
  (let (deleted)
    (while (setq deleted (critic--deleted-at pos))
      (setq pos (cdr deleted)))
    pos))

(defun critic--after-delimiter (pos)
  "Return where the delimiter ends between whose signs POS is, or POS."
  (save-match-data
    (save-excursion
      (or (seq-some (lambda (start)
                      (goto-char (max (point-min) start))
                      (and (looking-at critic--delimiter)
                           (< (point) pos (match-end 0))
                           (match-end 0)))
                    (list (- pos 2) (- pos 1)))
          pos))))

(defun critic--seen-p (beg end)
  "Return non-nil if what was found from BEG to END is to be found."
  (or (not critic-skip-deleted)
      (and isearch-mode critic-search-deleted)
      (let ((deleted (critic--deleted-at beg)))
        (not (and deleted (< (car deleted) beg) (< end (cdr deleted)))))))

;; Words

(defconst critic--plain-boundaries (make-char-table nil)
  "Where words end when nothing is deleted.")

(defconst critic--boundaries (make-char-table nil #'critic--word-boundary)
  "Where words end in `critic-mode'.")

(defun critic--word-boundary (pos limit)
  "Return where the word at POS ends or begins, towards LIMIT.
It is the next one if that one is deleted."
  (let* ((step (if (< pos limit) 1 -1))
         (deleted (and critic-skip-deleted (critic--deleted-at pos)))
         (find-word-boundary-function-table
          (if (and deleted (not (< (car deleted) (point) (cdr deleted))))
              critic--boundaries
            (setq deleted nil)
            critic--plain-boundaries)))
    (save-excursion
      (goto-char (cond ((not deleted) (if (< step 0) (1+ pos) pos))
                       ((< step 0) (car deleted))
                       (t (cdr deleted))))
      (forward-word step)
      (point))))

(defun critic-transpose-chars (arg)
  "Swap the characters around point, as `transpose-chars' does with ARG.
Deleted text between them stays where it is."
  (interactive "*P")
  (let* ((pos (if (bolp) (point) (1- (point))))
         (deleted (and critic-skip-deleted (null arg)
                       (or (critic--deleted-at pos)
                           (critic--deleted-at (point))))))
    (if (not (and deleted (<= (car deleted) (point) (cdr deleted))))
        (call-interactively #'transpose-chars)
      (goto-char (cdr deleted))
      (let ((end (point-marker))
            (next (unless (eolp) (char-after))))
        (cond (next (delete-char 1) (goto-char (1- (car deleted))) (insert next))
              (t (goto-char (1- (car deleted))) (transpose-chars 1)))
        (goto-char end)
        (set-marker end nil)))))

;; What is killed or copied

(defun critic--filter (extract beg end &optional delete)
  "Return the text that EXTRACT takes from BEG to END, as it is seen.
Additions are text, and deleted text is none.  Highlights and
comments go along, but not halves of them.  A region inside
deleted text or a comment is taken as it is.  DELETE is passed
on."
  (let* ((from (min beg end))
         (to (max beg end))
         (hidden (and critic-skip-deleted (critic--hidden from to)))
         (text (funcall extract beg end delete)))
    (if (/= (length text) (- to from))
        text
      (pcase-dolist (`(,start . ,stop) hidden)
        (let ((start (max 0 (- start from)))
              (stop (min (length text) (- stop from))))
          (setq text (concat (substring text 0 start) (substring text stop)))))
      text)))

(defun critic--hidden (beg end)
  "Return the stretches from BEG to END that are no text, the last one first."
  (let (stretches)
    (dolist (mark (critic--marks (- beg critic--reach) beg end))
      (dolist (stretch (critic--hidden-of mark beg end))
        (when (and (< beg (cdr stretch)) (< (car stretch) end))
          (push stretch stretches))))
    (critic--joined stretches)))

(defun critic--joined (stretches)
  "Return STRETCHES, the last one first; those that overlap are one."
  (let (joined)
    (pcase-dolist (`(,beg . ,end) (sort stretches #'car-less-than-car))
      (if (and joined (< beg (cdar joined)))
          (setcdr (car joined) (max end (cdar joined)))
        (push (cons beg end) joined)))
    joined))

(defun critic--hidden-of (mark beg end)
  "Return the stretches of MARK that are no text from BEG to END."
  (pcase-let* ((`(,kind ,start ,stop ,divider) mark)
               (opener (cons start (+ start 3)))
               (closer (cons (- stop 3) stop)))
    (cond ((and (memq kind '(?= ?>)) (<= beg start) (<= stop end))
           nil)
          ((memq kind '(?+ ?=))
           (list opener closer))
          ((not divider)
           (unless (and (<= (cdr opener) beg) (<= end (car closer)))
             (list (cons start stop))))
          ((and (<= (cdr opener) beg) (<= end divider))
           nil)
          (t
           (list (cons start (+ divider 2)) closer)))))

;;;; Colours

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

(defvar markdown-mode-font-lock-keywords)
(defvar markdown-regex-strike-through)
(defvar markdown-markup-properties)

(defconst critic--struck-regexp
  (concat "\\(?1:^\\|[^\\{]\\)\\(?2:\\(?3:~~\\)"
          "\\(?4:[^} \n\t\\]\\|[^} \n\t]\\(?:.\\|\n[^\n]\\)*?[^\\ {]\\)"
          "\\(?5:~~\\)\\)\\(?:[^}]\\|$\\)")
  "As `markdown-regex-strike-through', but what makes a mark is no tilde.")

(defun critic--match-struck (limit)
  "Find the next text before LIMIT that is struck through."
  (when (re-search-forward critic--struck-regexp limit t)
    (goto-char (match-end 5))))

(defconst critic--struck
  '(critic--match-struck
    (3 markdown-markup-properties)
    (4 'markdown-strike-through-face append)
    (5 markdown-markup-properties))
  "What font-lock is to know of text that is struck through.")

(defun critic--strike (add remove)
  "Have the rule ADD for text that is struck through, in the place of REMOVE.
Either may be nil, which stands for that of `markdown-mode'."
  (when-let* (((derived-mode-p 'markdown-mode))
              ((boundp 'markdown-regex-strike-through))
              (theirs (assoc markdown-regex-strike-through
                             markdown-mode-font-lock-keywords)))
    (font-lock-remove-keywords nil (list (or remove theirs)))
    (font-lock-add-keywords nil (list (or add theirs)))))

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
            (critic--request-async #'ignore "mark" :held :json-false))))
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
    (define-key map "v" #'critic-view)
    (define-key map "%" #'critic-review)
    (define-key map "C" #'critic-comment-as)
    (define-key map ";" #'critic-answer)
    (define-key map "E" #'critic-edit-comment)
    map)
  "Keys after `critic-keymap-prefix'.")

(defvar critic-repeat-map
  (let ((map (make-sparse-keymap)))
    (dolist (command '(critic-accept critic-reject critic-comment
                       critic-accept-and-next critic-reject-and-next
                       critic-next critic-previous critic-next-uncommented))
      (define-key map (where-is-internal command critic-command-map t) command)
      (put command 'repeat-map 'critic-repeat-map))
    map)
  "Keys that need no prefix right after one of them, with `repeat-mode'.")

(defvar critic-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map [remap transpose-chars] #'critic-transpose-chars)
    map)
  "Keys of `critic-mode'.")

(defun critic--set-prefix (option prefix)
  "Set OPTION to PREFIX, and put the commands after it."
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
    ["Review Each…" critic-review]
    "---"
    ["Comment…" critic-comment]
    ["Comment About…" critic-comment-as]
    ["Answer the Comment…" critic-answer]
    ["Edit the Comment…" critic-edit-comment]
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
    ["Accept Under This Heading" critic-accept-section]
    ["Reject Under This Heading" critic-reject-section]
    ["Accept by Kind…" critic-accept-kind]
    ["Reject by Kind…" critic-reject-kind]
    ["Remove Highlights and Comments" critic-remove-annotations]
    ["Export…" critic-export]
    ("View"
     ["With All Marks" (critic-view nil)
      :style radio :selected (not critic--view)]
     ["Clean" (critic-view 'clean)
      :style radio :selected (eq critic--view 'clean)]
     ["Original" (critic-view 'original)
      :style radio :selected (eq critic--view 'original)])
    "---"
    ["Track Changes" critic-toggle-tracking
     :style toggle :selected (eq (critic--get critic--status :tracking) t)]
    ["Mark Now" critic-mark]
    ["Record What Was Changed Meanwhile" critic-record-meanwhile]
    ["Take What Was Changed Meanwhile as Original" critic-take-as-original]
    ["Status" critic-status]))

;;;; The modes

;;;###autoload
(define-minor-mode critic-mode
  "Record changes as CriticMarkup while you write, and review them.

The server critic-lsp does it, through Eglot or lsp-mode; see
`critic-client'.  When the mode is turned off, the server no longer
knows of this buffer; what was typed before is marked, and what
is typed then is not.  To stop tracking alone there is
\\[critic-toggle-tracking].

\\{critic-mode-map}"
  :lighter (:eval (critic--lighter))
  :keymap critic-mode-map
  (if critic-mode
      (critic--enable)
    (critic--leave-server)
    (critic--disable))
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
  (setq critic--saves-unmarked (critic--held-p))
  (cond (critic--saves-unmarked
         (critic--put-off (current-buffer))
         (message "Marks wait for what edits several places; save again then"))
        ((eq (critic--running) 'lsp-mode)
         (ignore-errors
           (let ((critic--saving t)) (critic--request "mark"))))))

(defun critic--after-save ()
  "Let edits come again, for the file has been saved."
  (setq critic--saves-unmarked nil))

(defun critic--enable ()
  "Set this buffer up."
  (critic--strike critic--struck nil)
  (font-lock-add-keywords nil critic--keywords 'append)
  (add-hook 'font-lock-extend-region-functions #'critic--extend-region nil t)
  ;; Other packages show Markdown in buffers that have no file, for a moment.
  (when buffer-file-name
    (add-hook 'pre-command-hook #'critic--note-point nil t)
    (add-hook 'after-change-functions #'critic--note-deletion nil t)
    (add-hook 'post-command-hook #'critic--note-motion nil t)
    (add-hook 'clone-indirect-buffer-hook #'critic--leave-clone nil t)
    (add-function :before-while (local 'isearch-filter-predicate)
                  #'critic--seen-p)
    (add-function :around (local 'filter-buffer-substring-function)
                  #'critic--filter)
    (critic--set 'find-word-boundary-function-table critic--boundaries)
    (add-hook 'after-change-functions #'critic--schedule nil t)
    (add-hook 'after-change-functions #'critic--note-history nil t)
    (add-hook 'before-save-hook #'critic--before-save -90 t)
    (add-hook 'after-save-hook #'critic--after-save nil t)
    ;; A line end that is put after the mark at the end of the text becomes
    ;; part of that mark, and at the next time the text is saved there would be
    ;; none again.
    (critic--set 'require-final-newline nil)
    (add-hook 'window-buffer-change-functions #'critic--notice-leaving)
    (add-hook 'window-selection-change-functions #'critic--notice-leaving)
    (critic--start)))

(defun critic--disable ()
  "Undo `critic--enable'."
  (when critic--view (critic-view nil))
  (font-lock-remove-keywords nil critic--keywords)
  (critic--strike nil critic--struck)
  (remove-hook 'font-lock-extend-region-functions #'critic--extend-region t)
  (remove-hook 'pre-command-hook #'critic--note-point t)
  (remove-hook 'after-change-functions #'critic--note-deletion t)
  (remove-hook 'post-command-hook #'critic--note-motion t)
  (remove-hook 'clone-indirect-buffer-hook #'critic--leave-clone t)
  (remove-function (local 'isearch-filter-predicate) #'critic--seen-p)
  (remove-function (local 'filter-buffer-substring-function) #'critic--filter)
  (remove-hook 'after-change-functions #'critic--schedule t)
  (remove-hook 'after-change-functions #'critic--note-history t)
  (remove-hook 'before-save-hook #'critic--before-save t)
  (remove-hook 'after-save-hook #'critic--after-save t)
  (remove-function (local 'imenu-create-index-function) #'critic--imenu)
  (let ((last (not (seq-some (lambda (buffer)
                               (buffer-local-value 'critic-mode buffer))
                             (buffer-list)))))
    (dolist (client critic--clients) (critic-client-release client last))
    (when last
      (remove-hook 'window-buffer-change-functions #'critic--notice-leaving)
      (remove-hook 'window-selection-change-functions
                   #'critic--notice-leaving)))
  (when (timerp critic--timer) (cancel-timer critic--timer))
  (setq critic--timer nil critic--status nil)
  (critic--restore))

(defun critic--leave-clone ()
  "Turn off in an indirect buffer what the document's buffer does.
The changes that are made in it are told there."
  (when-let ((base (buffer-base-buffer)))
    ;; That timer is the document's.
    (setq critic--timer nil)
    (critic--disable)
    (setq critic-mode nil)
    (mapc #'critic-client-leave-clone critic--clients)
    (critic--tell-base base)))

(defun critic--tell-base (base)
  "Have BASE told of every change in this buffer, which shares its text."
  (dolist (hook '(before-change-functions after-change-functions))
    (add-hook hook
              (lambda (&rest change)
                (when (buffer-live-p base)
                  (with-current-buffer base
                    (save-restriction
                      (widen)
                      (apply #'run-hook-with-args hook change)))))
              nil t)))

(defun critic--managed ()
  "Set up what Eglot or lsp-mode has just set up in its own way."
  (critic--schedule)
  (mapc #'critic-client-return-imenu critic--clients)
  (add-function :around (local 'imenu-create-index-function) #'critic--imenu))

(defun critic--imenu (headings)
  "Return the outline of HEADINGS, and before them that of the server.
The server tells only of those headings that have changes below
them."
  (let ((changes (critic-client-imenu (critic--running)))
        (headings (ignore-errors (funcall headings))))
    (if changes
        (cons (cons "*Changes*" changes) headings)
      headings)))

(defun critic--leave-server ()
  "Have what was typed marked, and tell the server no more of this buffer."
  (when-let* ((client (critic--running)))
    (ignore-errors (critic--request "mark"))
    (critic-client-leave client)))

(defun critic--start ()
  "Start the server for this buffer, unless it is there."
  (let ((program (car critic-server-command)))
    (if (not (executable-find program (file-remote-p default-directory)))
        (display-warning
         'critic
         (format-message
          "Found no program %s; is it on the path?  See `critic-server-command'"
          program))
      (let ((client (critic--client)))
        (require (pcase client
                   ('eglot 'critic-eglot)
                   ('lsp-mode 'critic-lsp-mode)))
        (critic-client-start client)))))

(defun critic--client ()
  "Return what is to run the server: `eglot' or `lsp-mode'."
  (or critic-client
      (and (fboundp 'eglot-managed-p) (eglot-managed-p) 'eglot)
      (and (featurep 'lsp-mode) 'lsp-mode)
      (and (or (featurep 'eglot) (locate-library "eglot")) 'eglot)
      'lsp-mode))

(defun critic--turn-on ()
  "Turn on `critic-mode' if this buffer is of a mode in `critic-modes'."
  (when buffer-file-name
    (if (memq major-mode critic-modes)
        (critic-mode)
      (critic--tell-why-not))))

(defvar critic--has-told nil
  "Whether the user knows that there is no mode for Markdown.")

(defun critic--tell-why-not ()
  "Say once why `critic-mode' is off in a Markdown file."
  (when (and (not critic--has-told)
             (not (seq-some #'fboundp critic-modes))
             (string-match-p "\\.\\(?:md\\|markdown\\)\\'" buffer-file-name))
    (setq critic--has-told t)
    (display-warning
     'critic
     (format-message
      "Nothing is tracked without `markdown-mode'; see `critic-modes'"))))

;;;###autoload
(define-globalized-minor-mode global-critic-mode critic-mode critic--turn-on
  :group 'critic)

(provide 'critic)

;;; critic.el ends here
