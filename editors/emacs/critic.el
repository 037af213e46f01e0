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
;;   (global-critic-mode)
;;
;; What you type, delete and replace is recorded as CriticMarkup while you
;; write.  The server does that; it needs Eglot (part of Emacs 29 and later)
;; or lsp-mode, and works without this package.  The package starts it, takes
;; its edits in such a way that they never meet text which it does not know
;; and that one undo takes back a change with its marks, gives its commands
;; names and keys, shows marks in colours, lists the changes, and tells their
;; number in the mode line.
;;
;; How the page looks is in `critic-page', and in `critic-beside' where the marks
;; are beside the text; a file whose marks its buffer has not is read and written
;; by `critic-hiding'.  The list of changes is in `critic-list', the walk from
;; change to change in `critic-review'.

;;; Code:

(require 'diff-mode)
(require 'easymenu)
(require 'outline)
(require 'seq)
(require 'subr-x)

(defvar critic--view)
(defvar critic-mode)
(declare-function critic-beside-forget "critic-beside")
(declare-function critic-beside-update "critic-beside")
(declare-function critic-hiding-ask "critic-hiding")
(declare-function critic-hiding-disable "critic-hiding")
(declare-function critic-hiding-enable "critic-hiding")
(declare-function critic-hiding-follow "critic-hiding")
(declare-function critic-hiding-kept-p "critic-hiding")
(declare-function critic-hiding-p "critic-hiding")
(declare-function critic-page--follow "critic-page")
(declare-function critic-page--redraw "critic-page")
(declare-function critic-page--take-flymake "critic-page")
(declare-function critic-page-disable "critic-page")
(declare-function critic-page-enable "critic-page")
(declare-function critic-list--name "critic-list")
(declare-function critic-list--print "critic-list")
(autoload 'critic-hide-marks "critic-hiding" nil t)
(autoload 'critic-show-marks "critic-hiding" nil t)
(autoload 'critic-write-clean "critic-hiding" nil t)
(autoload 'critic-list "critic-list" nil t)
(autoload 'critic-review "critic-review" nil t)
(autoload 'critic-toggle-comments "critic-page" nil t)
(autoload 'critic-toggle-delimiters "critic-page" nil t)
(declare-function eglot-managed-p "ext:eglot")

;;;; Options

(defgroup critic nil
  "Tracked changes in plain text."
  :group 'text
  :prefix "critic-")

(defcustom critic-server-command '("critic-lsp")
  "The server's program and its arguments."
  :type '(repeat string))

(defcustom critic-program "critic-lsp"
  "The program that reads files whose marks are hidden.
See `critic-hide-marks'.  `critic-server-command' may have another
program that starts this one."
  :type 'string)

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
           (:attribution (choice (const "none") (const "author")
                                 (const "author+date")))
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

(defcustom critic-hide-delimiters t
  "Whether the delimiters of marks are hidden but in the line of point.
Between the old and the new text of a replacement there is an
arrow then, and who made a change is told by its colour alone.
`critic-toggle-delimiters' changes it in one buffer."
  :type 'boolean)

(defcustom critic-hide-marks nil
  "Whether the marks of a Markdown file stay in the file alone.
The buffer holds the clean text then, as if every change were
accepted, and the server writes the file with its marks when the
buffer is saved.  Without the server it cannot be saved.

It takes effect when a file is visited, and can be a variable of
a file or folder.  `\\[critic-hide-marks]' and `\\[critic-show-marks]' change it in one
buffer."
  :type 'boolean
  :safe #'booleanp)

(defcustom critic-comments-below t
  "Whether comments stand below their paragraph.
In the text there is a small number then, but in the line of
point.  `critic-toggle-comments' changes it in one buffer."
  :type 'boolean)

(defcustom critic-signs t
  "Whether a sign beside a line says what was changed in it.
It is in the fringe, or in the margin where there is no fringe."
  :type '(choice (const :tag "in the fringe if there is one" t)
                 (const :tag "in the margin" margin)
                 (const :tag "none" nil)))

(defcustom critic-show-flymake nil
  "Whether Flymake underlines changes and has signs for them.
Its list and its count have them in any case.  The option takes
effect when `critic-mode' is turned on."
  :type 'boolean)

;;;; Faces

(defface critic-addition '((t :inherit diff-added :extend nil))
  "Face of what was added.")

(defface critic-deletion
  '((t :inherit diff-removed :strike-through t :extend nil))
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

(defface critic-resolved '((t :inherit shadow :slant italic))
  "Face of comments that are resolved.")

(defface critic-attribution '((t :inherit shadow :strike-through nil))
  "Face of what only says who made a change.")

(defface critic-number '((t :inherit font-lock-comment-face :weight bold))
  "Face of the number in the text of a comment below the paragraph.")

(defface critic-sign '((t :strike-through nil :underline nil :slant normal))
  "Face of the signs beside lines.")

(defface critic-delimiter '((t :inherit shadow :strike-through nil))
  "Face of the signs that make a mark, as `{++'.")

;; The colours of Okabe and Ito, which colour-blind people tell apart; darker
;; where they are those of letters on a light page.

(defmacro critic--define-author (number light colour)
  "Define the face of the author with NUMBER.
COLOUR is below what the author has changed; in a terminal the
letters have it, or LIGHT on a light page."
  `(defface ,(intern (format "critic-author-%d" number))
     '((((type tty) (background light)) :foreground ,light :underline t)
       (((type tty)) :foreground ,colour :underline t)
       (t :underline (:color ,colour)))
     "Face of what one of the authors has changed."))

(critic--define-author 1 "#8a5a00" "#e69f00")
(critic--define-author 2 "#0070a8" "#56b4e9")
(critic--define-author 3 "#00694d" "#009e73")
(critic--define-author 4 "#9b3d72" "#cc79a7")
(critic--define-author 5 "#003f8a" "#0072b2")
(critic--define-author 6 "#a63c00" "#d55e00")
(critic--define-author 7 "#6b6200" "#f0e442")
(critic--define-author 8 "#5a5a5a" "#999999")

(defconst critic--author-faces
  [critic-author-1 critic-author-2 critic-author-3 critic-author-4
   critic-author-5 critic-author-6 critic-author-7 critic-author-8]
  "The faces of authors.")

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

(cl-defgeneric critic-client-request-async (client method params done failed)
  "Have CLIENT send METHOD with PARAMS, and call DONE with the result.
If there is none, call FAILED with the reason.")

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
        (prog1 (critic-client-request client "workspace/executeCommand"
                                      (critic--call client command arguments))
          ;; What the server tells right after its answer, lsp-mode loses.
          (critic--note-list))
      (jsonrpc-error
       (user-error "%s" (alist-get 'jsonrpc-error-message (cddr problem)
                                   "The server failed")))
      (error (user-error "%s" (error-message-string problem))))))

(defun critic--request-async (done command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS, and call DONE with the result.
DONE is called in this buffer.  A failure is passed over.  Return
nil if the server does not run."
  (apply #'critic--request-or done #'ignore command arguments))

(defun critic--request-or (done failed command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS, and call DONE with the result.
If there is none, call FAILED with the reason.  Both are called
in this buffer.  Return nil if the server does not run."
  (when-let* ((client (critic--running)))
    (let* ((buffer (current-buffer))
           (here (lambda (function)
                   (lambda (told)
                     (when (buffer-live-p buffer)
                       (with-current-buffer buffer (funcall function told)))))))
      (critic--flush)
      (critic-client-request-async
       client "workspace/executeCommand" (critic--call client command arguments)
       (funcall here done) (funcall here failed))
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

(defconst critic--putting-back "Put the marks back"
  "What the server calls an edit that puts back marks that are gone.")

(defconst critic--moving "Move the marks"
  "What the server calls an edit that puts marks elsewhere.")

(defvar-local critic--moved nil
  "Whether marks have been put elsewhere since the server last told where.")

(defun critic--take-edit (path label apply)
  "Let the server edit the file at PATH by calling APPLY.
LABEL is what it calls the edit.  Return what is to be answered."
  (let ((buffer (and path (find-buffer-visiting path))))
    (if (or (critic--busy-p buffer) (critic--keeps-out-p buffer))
        (progn
          (when buffer (critic--put-off buffer))
          ;; The server's own words: it does not count this as a failure.
          (list :applied :json-false :failureReason "the editor is busy"))
      (with-current-buffer (or buffer (current-buffer))
        (prog1 (critic--edit buffer apply (equal label critic--putting-back))
          (when (equal label critic--moving) (setq critic--moved t)))))))

(defun critic--keeps-out-p (buffer)
  "Return non-nil if the server is not to write CriticMarkup into BUFFER."
  (and buffer
       (with-current-buffer buffer
         (and (critic--hiding-p) (not (critic-hiding-kept-p))))))

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

(defun critic--edit (buffer apply &optional is-apart)
  "Edit the current buffer by calling APPLY.
BUFFER is the same, or nil if the file is not open.  The edit
belongs to what was done last, unless IS-APART."
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
    (cond (is-apart (undo-boundary))
          ((member critic--asking '(nil "mark")) (critic--join-undo)))
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
  (critic--follow-point)
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
      (prog1 (critic--keep-search make)
        (when after
          (goto-char after)
          (set-marker after nil))
        (when deletion
          (goto-char (if (cdr deletion)
                         (critic--after-deleted (point))
                       (critic--after-delimiter (point))))
          (setq critic--deletion (cons (point) (cdr deletion))))))))

(defun critic--keep-search (make)
  "Call MAKE, and have an incremental search know where it began.
It remembers a number, at which it pushes the mark when it ends."
  (let ((began (and isearch-mode (copy-marker isearch-opoint))))
    (prog1 (funcall make)
      (when began
        (setq isearch-opoint (marker-position began))
        (set-marker began nil)))))

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

(defconst critic--settings
  '((:marking "idle") (:maxChanges 50) (:inlayHints :json-false))
  "What the server is told, unless `critic-settings' says something else.
Both clients look for the line of each change in a list from the
beginning of the text on, after each pause.  Hints would say once
more what stands below the paragraph.")

(defun critic--initialization-options ()
  "Return the settings for the server."
  (let ((settings critic-settings))
    (dolist (setting `(,@critic--settings
                       (:acceptKey ,(critic--key 'critic-accept))
                       (:rejectKey ,(critic--key 'critic-reject)))
                     settings)
      (unless (plist-member settings (car setting))
        (setq settings (append settings setting))))))

(defvar critic-mode-map)

(defun critic--key (command)
  "Return what the user presses for COMMAND, for the server to say."
  (if-let ((key (where-is-internal command critic-mode-map t)))
      (key-description key)
    (format "M-x %s" command)))

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

(defvar critic--soon 0.1
  "How many seconds after a list from the server the status is asked for.")

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

(defvar critic--idle 0.3
  "How many seconds Emacs is idle before it is asked which change point is at.")

(defvar-local critic--asked-at nil
  "Where point was when the status was asked for.")

(defvar critic--idle-timer nil
  "The timer that asks which change point is at.")

(defun critic--position-or-nil ()
  "Return point as an LSP position, if there is a server."
  (setq critic--asked-at (point))
  (when (critic--running) (critic--position (point))))

(defun critic--follow-point ()
  "Ask which change point is at, once nothing is done for a moment."
  (when (and (critic--get critic--status :at)
             (not critic--idle-timer)
             (not (eql (point) critic--asked-at)))
    (setq critic--idle-timer
          (run-with-idle-timer critic--idle nil #'critic--ask-where
                               (current-buffer)))))

(defun critic--ask-where (buffer)
  "Ask which change point is at in BUFFER, unless that is asked soon."
  (setq critic--idle-timer nil)
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when (and critic-mode (not critic--timer))
        (critic--request-async
         (lambda (status)
           (setq critic--status status)
           (force-mode-line-update))
         "status" :position (critic--position-or-nil))))))

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
                 "status" :position (critic--position-or-nil))
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

(defun critic--beside-p ()
  "Return non-nil if the CriticMarkup of this text is not in the buffer.
It lies beside the text, or is in the file alone."
  (or (critic--hiding-p)
      (member (critic--get critic--status :marks) '("beside" "file"))))

(defun critic--hiding-p ()
  "Return non-nil if the CriticMarkup of this text is in the file alone."
  (and (featurep 'critic-hiding) (critic-hiding-p)))

(defun critic--opened ()
  "Note that the document of this buffer has been opened in the server."
  (when (critic--hiding-p) (critic-hiding-ask)))

(defun critic--note-list ()
  "Ask for the status, since the server has told another list.
Where marks are beside the text, a decision need not change it."
  (when (and critic-mode (critic--beside-p) (not critic--timer))
    (critic--ask-after critic--soon)))

(defun critic--show-status (status)
  "Show STATUS in the mode line, and bring the page and the list up to date."
  (setq critic--status status critic--moved nil)
  (when critic--view (critic--hide critic--view))
  (when (featurep 'critic-hiding) (critic-hiding-follow status))
  (when (featurep 'critic-beside) (critic-beside-update))
  (force-mode-line-update)
  (when (and (featurep 'critic-list)
             (get-buffer-window (critic-list--name) t))
    (critic--request-async #'critic-list--print "changes")))

(defun critic--lighter ()
  "Return the text for the mode line."
  (concat " Critic"
          (cond ((not buffer-file-name) nil)
                ((null (critic--get critic--status :changes)) ":no server")
                (t (replace-regexp-in-string "%" "%%"
                                             (critic--told-status)
                                             t t)))
          (cond ((critic--hiding-p) " in file")
                ((critic--beside-p) " beside")
                ((critic--marked-on-save-p) " on save"))
          (when critic--view (format " %s" critic--view))))

(defun critic--told-status ()
  "Return the status for the mode line."
  (let* ((status critic--status)
         (at (critic--get status :at))
         (open (critic--get status :open))
         (off (not (eq (critic--get status :tracking) t)))
         (changes (critic--get status :changes)))
    (string-join
     (delq nil
           `(,(concat (if off ":off" ":")
                      (unless (and off (= changes 0))
                        (concat (when off " ")
                                (when (and (natnump at) (< 0 at))
                                  (format "%d of " at))
                                (number-to-string changes)))
                      (when (< 0 (critic--get status :pending)) "+"))
             ,(when (and (natnump open) (< 0 open))
                (critic--counted open "comment" "comments"))
             ,@(mapcar #'critic--told-count
                       (seq-take (critic--get status :authors) 3))))
     " · ")))

(defun critic--told-count (author)
  "Return the name and the number of AUTHOR."
  (format "%s %d" (critic--get author :author) (critic--get author :changes)))

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
  (critic--act "accept")
  (when (critic--beside-p)
    (message "Accepted%s" (critic--way-back "Accepted"))))

(defun critic--way-back (done)
  "Return how to take back what was DONE, a word, if `undo' does not."
  (if (and (equal done "Accepted") (critic--beside-p))
      (substitute-command-keys "; \\[critic-reopen] takes it back")
    ""))

(defun critic-reject ()
  "Reject the change at point, or those in the region."
  (interactive "*")
  (critic--act "reject"))

(defun critic--act-and-next (done command)
  "Let the server do COMMAND on the region or at point, and go on.
Then say what was DONE, a word, if `undo' does not take it back."
  (let* ((found (critic--act command))
         (back (critic--way-back done)))
    (when found (critic--visit (car (critic--ends found))))
    (cond ((not found) (message "No more changes%s" back))
          ((not (string-empty-p back)) (message "%s%s" done back)))))

(defun critic-accept-and-next ()
  "Accept the change at point, or those in the region, and go to the next."
  (interactive "*")
  (critic--act-and-next "Accepted" "acceptAndNext"))

(defun critic-reject-and-next ()
  "Reject the change at point, or those in the region, and go to the next."
  (interactive "*")
  (critic--act-and-next "Rejected" "rejectAndNext"))

(defun critic--act-on-all (done command &rest arguments)
  "Let the server do COMMAND with ARGUMENTS on the whole document.
Then say how much was DONE, a word."
  (message "%s%s"
           (apply #'critic--telling done command
                  :position (critic--position (point)) arguments)
           (critic--way-back done)))

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
  (message "%s under this heading%s"
           (critic--telling done command
                            :range (apply #'critic--range (critic--section)))
           (critic--way-back done)))

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
  (let ((bounds (if beg (list beg (or end beg)) (critic--bounds))))
    (apply #'critic--write-comment text
           :range (apply #'critic--range bounds)
           (when category (list :category category)))))

(defun critic--write-comment (text &rest arguments)
  "Let the server write TEXT as a comment, with ARGUMENTS."
  (when (string-empty-p text)
    (user-error "A comment without text was not written"))
  (apply #'critic--request "comment" :text text arguments)
  (deactivate-mark))

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
     (critic--which-comment)
     (list (critic--read-comment "Answer: "))))
  (apply #'critic--write-comment text (critic--which-comment)))

(defun critic-edit-comment (text)
  "Let the comment at point say TEXT.
Where the marks are beside the text, it is the last one of its
thread."
  (interactive
   (progn
     (barf-if-buffer-read-only)
     (list (read-string "Comment: "
                        (critic--without-head (critic--said-here))
                        'critic-comment-history nil t))))
  (apply #'critic--request "editComment" :text text (critic--which-comment)))

(defun critic--which-comment ()
  "Return the comment at point as a place for the server.
Signal an error if none is."
  (if (critic--beside-p)
      (list :change (critic--get (critic--commented-here) :number))
    (list :position (critic--position (critic--place-in-comment)))))

(defun critic--said-here ()
  "Return the text of the comment at point, with its author and date."
  (if (critic--beside-p)
      (car (last (append (critic--get (critic--commented-here) :comments) nil)))
    (buffer-substring-no-properties (critic--place-in-comment)
                                    (- (nth 2 (critic--comment-here)) 3))))

(defun critic--commented-here ()
  "Return the change with comments that point is in or at.
It is what the server tells, for no comment is in the text."
  (let (touched inside)
    (dolist (change (append (critic--request "changes") nil))
      (pcase-let ((`(,beg ,end) (critic--ends change)))
        (when (and (<= beg (point) end)
                   (not (seq-empty-p (critic--get change :comments))))
          (setq touched change)
          (when (< (point) end) (setq inside change)))))
    (or inside touched (user-error "There is no comment here"))))

(defun critic--place-in-comment ()
  "Return where the comment at point begins to say something."
  (let ((comment (critic--comment-here)))
    (unless comment (user-error "There is no comment here"))
    (+ 3 (nth 1 comment))))

(defconst critic--head
  (concat "\\`@\\(\\(?:[^ :|\n]\\|:[^ \n]\\)+\\)\\(?: | \\([-0-9T:.Z+]+\\)\\)?"
          "\\(?:: \\| | \\|[ \t\n]*\\'\\)")
  "What says at the beginning of a comment who wrote it, and when.")

(defun critic--without-head (comment)
  "Return COMMENT without its author and date."
  (replace-regexp-in-string critic--head "" comment))

(defun critic--parts-of-comment (comment)
  "Return the author and date of COMMENT, or nil for each, and the rest."
  (save-match-data
    (if (string-match critic--head (string-trim-left comment))
        (let ((comment (string-trim-left comment)))
          (list (match-string 1 comment) (match-string 2 comment)
                (substring comment (match-end 0))))
      (list nil nil comment))))

(defun critic-remove-comment ()
  "Remove the comment at point."
  (interactive "*")
  (critic--act "removeComment"))

(defun critic-resolve-comment ()
  "Resolve the comment at point, with its answers, or reopen it."
  (interactive "*")
  (critic--act "resolveComment"))

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

(defun critic-reopen ()
  "Take back the last decision about a change.
Where no CriticMarkup is in the text, `undo' does not bring back
what was accepted."
  (interactive "*")
  (critic--request "reopen"))

(defun critic-move-marks (place)
  "Have the CriticMarkup at PLACE from now on: \"beside\" or \"inline\"."
  (interactive
   (list (completing-read "Marks: " '("beside" "inline") nil t)))
  (barf-if-buffer-read-only)
  (critic--request "marks" :marks place))

(defun critic-done ()
  "Say that the review is done, to the program that waits for it."
  (interactive)
  (critic--request "done"))

(defun critic-mark ()
  "Mark what is pending now."
  (interactive)
  (when (critic--held-p)
    (user-error "Marks wait for what edits several places"))
  (critic--request "mark"))

(defun critic-status ()
  "Say whether tracking is on, and what there is to review."
  (interactive)
  (let ((status (critic--request "status" :position
                                 (critic--position (point)))))
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
          (when (featurep 'critic-page) (critic-page--follow))
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

(defun critic--line (text)
  "Return TEXT on one line."
  (replace-regexp-in-string "[ \t]*[\n\r]+[ \t]*" "⏎" text))

(defun critic--around (change)
  "Return what is before CHANGE in its line, and what is after it."
  (list (car (last (split-string (or (critic--get change :before) "") "\n")))
        (car (split-string (or (critic--get change :after) "") "\n"))))

(defun critic--told-author (change)
  "Return who made CHANGE, and when, or nil."
  (let ((author (critic--get change :author))
        (date (critic--get change :date)))
    (when (stringp author)
      (concat (propertize author 'face (critic--face-of author))
              (when (stringp date) (concat " " (critic--date date)))))))

(defconst critic--months
  ["Jan" "Feb" "Mar" "Apr" "May" "Jun" "Jul" "Aug" "Sep" "Oct" "Nov" "Dec"]
  "The months, as they are told.")

(defun critic--date (date)
  "Return DATE, which is as in 2026-11-20, as in 20 Nov.
With the year unless it is this one."
  (save-match-data
    (if (not (string-match
              "\\`\\([0-9]\\{4\\}\\)-\\(0[1-9]\\|1[0-2]\\)-\\([0-9][0-9]\\)"
              date))
        date
      (let ((year (match-string 1 date))
            (month (string-to-number (match-string 2 date)))
            (day (string-to-number (match-string 3 date))))
        (concat (format "%d %s" day (aref critic--months (1- month)))
                (unless (equal year (format-time-string "%Y"))
                  (concat " " year)))))))

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
  (when (and view (critic--beside-p))
    (user-error "Only `critic-export' shows another text than this one"))
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
  (when (featurep 'critic-page) (critic-page--redraw))
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
      (when-let (((not (critic--beside-p)))
                 (closer (pcase (char-after (1+ start))
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
  (pcase (unless (critic--beside-p) (critic--deletion-before pos))
    (`(,_ ,start ,stop ,divider)
     (let ((end (if divider (+ divider 2) stop)))
       (and (<= start pos) (< pos end) (cons start end))))))

(defun critic--after-deleted (pos)
  "Return where the deleted text that POS is in or before ends, or POS.
Who deleted it, and when, belongs to it."
  (let (next)
    (while (setq next (cdr (or (critic--deleted-at pos)
                               (critic--attribution-at pos))))
      (setq pos next))
    pos))

(defun critic--attribution-at (pos)
  "Return the ends of the attribution that POS is in, or nil."
  (save-match-data
    (save-excursion
      (goto-char (min (point-max) (+ pos 3)))
      (when (search-backward "{>>" (max (point-min) (- pos 100)) t)
        (pcase (critic--mark-here)
          (`(,_ ,start ,stop ,_)
           (and (< pos stop) (critic--attribution-p start stop)
                (cons start stop))))))))

(defun critic--gone-at (pos)
  "Return the ends of what POS is in and the text has not, or nil.
That is deleted text, and who deleted it; or who made a change."
  (when-let ((here (or (critic--deleted-at pos) (critic--attribution-at pos)))
             (start (car here)))
    (cons (or (and (< (point-min) start)
                   (car (critic--deleted-at (1- start))))
              start)
          (critic--after-deleted (cdr here)))))

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
It is the next one if that one is deleted, or names who made a
change."
  (let* ((step (if (< pos limit) 1 -1))
         (deleted (and critic-skip-deleted (critic--gone-at pos)))
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
Delimiters, deleted text and comments between them stay where they are."
  (interactive "*P")
  (let* ((end (critic--seen-after (point)))
         (line-ends (save-excursion (goto-char end) (eolp)))
         (next (if line-ends (1- (critic--seen-before (point))) end))
         (letter (1- (critic--seen-before next))))
    (cond ((or arg
               (not critic-skip-deleted)
               (and (= next (1+ letter))
                    (= (point) end (if line-ends (1+ next) next))))
           (call-interactively #'transpose-chars))
          ((< letter (point-min)) (signal 'beginning-of-buffer nil))
          (t (critic--swap letter next end)))))

(defun critic--swap (letter next end)
  "Swap the characters at LETTER and NEXT, and leave point at END."
  (let ((end (copy-marker end t)))
    ;; A line end is not moved: it may be one of the original text.
    (if (eq (char-after next) ?\n)
        (let ((text (char-to-string (char-after letter))))
          (goto-char (1+ next))
          (insert text)
          (delete-region letter (1+ letter)))
      (let ((text (char-to-string (char-after next))))
        (delete-region next (1+ next))
        (goto-char letter)
        (insert text)))
    (goto-char end)
    (set-marker end nil)))

(defun critic--seen-after (pos)
  "Return where the first character that is text begins, from POS on."
  (let (next)
    (while (setq next (cdr (seq-find (pcase-lambda (`(,beg . ,end))
                                       (and (<= beg pos) (< pos end)))
                                     (critic--unseen-at pos))))
      (setq pos next))
    pos))

(defun critic--seen-before (pos)
  "Return where the last character that is text ends, up to POS."
  (let (next)
    (while (setq next (car (seq-find (pcase-lambda (`(,beg . ,end))
                                       (and (< beg pos) (<= pos end)))
                                     (critic--unseen-at pos))))
      (setq pos next))
    pos))

(defun critic--unseen-at (pos)
  "Return the stretches around POS that are no text.
A comment that point is in is text as any other."
  (seq-mapcat (lambda (mark)
                (pcase-let ((`(,kind ,start ,stop ,_) mark))
                  (unless (and (eq kind ?>)
                               (<= (+ start 3) (point) (- stop 3)))
                    (critic--not-in 'clean mark))))
              (critic--marks (- pos critic--reach)
                             (max (point-min) (1- pos))
                             (min (point-max) (1+ pos)))))

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
    (while (and (not found)
                (not (critic--beside-p))
                (search-forward opener limit t))
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

(defun critic--says-resolved-p (comment)
  "Return non-nil if COMMENT is one that begins a resolved thread."
  (let ((case-fold-search t))
    (string-match-p "\\`[ \t\n]*\\(?:@[^[\n]*[:|][ \t]+\\)?\\[resolved\\]" comment)))

(defun critic--attribution-p (start stop)
  "Return non-nil if the comment from START to STOP is only who and when.
It does so right behind a change."
  (and (memq (char-before start) '(?}))
       (not (critic--answers-p start))
       (pcase (critic--parts-of-comment
               (buffer-substring-no-properties (+ start 3) (- stop 3)))
         (`(,author ,_ ,said) (and author (string-blank-p said))))))

(defun critic--answers-p (start)
  "Return non-nil if the comment at START follows another one."
  (and (<= (+ (point-min) 3) start)
       (equal "<<}" (buffer-substring-no-properties (- start 3) start))))

(defvar critic--authors nil
  "The authors that were met, each with the number of its colour, from 0.")

(defun critic--face-of (author)
  "Return the face of AUTHOR.
It is the same in every session, unless two that are met had the same."
  (let ((number (cdr (assoc author critic--authors)))
        (count (length critic--author-faces)))
    (unless number
      (setq number (seq-reduce (lambda (sum byte) (mod (+ (* 31 sum) byte) count))
                               (encode-coding-string author 'utf-8) 0))
      (when (< (length critic--authors) count)
        (while (rassq number critic--authors)
          (setq number (mod (1+ number) count))))
      (push (cons author number) critic--authors))
    (aref critic--author-faces number)))

(defun critic--author-face ()
  "Return the face of who made the change that was found, or nil.
The comment right behind it says who."
  (save-match-data
    (save-excursion
      (goto-char (match-end 0))
      (when (looking-at "{>>\\([ \t]*@[^<]*\\)<<}")
        (when-let* ((author (car (critic--parts-of-comment
                                  (match-string-no-properties 1)))))
          (critic--face-of author))))))

(defun critic--comment-face ()
  "Return the face of the comment that was found, as its thread has it."
  (save-match-data
    (let ((start (match-beginning 0))
          (text (match-string-no-properties 2))
          before)
      ;; The thread is resolved if its first comment says so.
      (save-excursion
        (while (progn
                 (goto-char start)
                 (and (setq before (looking-back "<<}" (max (point-min) (- start 3))))
                      (setq before (search-backward
                                    "{>>" (max (point-min) (- start critic--reach)) t))))
          (setq text (buffer-substring-no-properties (+ before 3) (- start 3))
                start before)))
      (cond ((critic--attribution-p (match-beginning 0) (match-end 0))
             'critic-attribution)
            ((critic--says-resolved-p text) 'critic-resolved)
            (t 'critic-comment)))))

(defun critic--keyword (opener closer face)
  "Return the rule that gives text between OPENER and CLOSER its FACE."
  `(,(apply-partially #'critic--match opener closer)
    (0 '(face nil font-lock-multiline t))
    (1 'critic-delimiter prepend)
    (2 ,(if (symbolp face) `',face face) prepend)
    ,@(when (symbolp face) '((2 (critic--author-face) prepend)))
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
     (2 (critic--author-face) prepend)
     (4 (critic--author-face) prepend)
     (5 'critic-delimiter prepend))
    ,(critic--keyword "{==" "==}" 'critic-highlight)
    ,(critic--keyword "{>>" "<<}" '(critic--comment-face)))
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
  (unless (critic--beside-p)
    (let ((start (critic--mark-start font-lock-beg)))
      (when (< start font-lock-beg)
        (setq font-lock-beg start)))))

(defun critic--mark-start (pos)
  "Return where a mark begins that reaches over POS, or POS."
  (let ((start pos)
        (bound (max (point-min) (- pos critic--reach))))
    (dolist (delimiters critic--delimiters start)
      (save-excursion
        (goto-char pos)
        (when (and (re-search-backward delimiters bound t)
                   (eq (char-after) ?{))
          (setq start (min start (point))))))))

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
    (define-key map "x" #'critic-resolve-comment)
    (define-key map "K" #'critic-remove-annotations)
    (define-key map "h" #'critic-highlight)
    (define-key map "t" #'critic-toggle-tracking)
    (define-key map "m" #'critic-mark)
    (define-key map "U" #'critic-reopen)
    (define-key map "." #'critic-done)
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
    (define-key map "b" #'critic-toggle-comments)
    (define-key map "H" #'critic-toggle-delimiters)
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
    ["Resolve or Reopen Comment" critic-resolve-comment]
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
    ["Take the Last Decision Back" critic-reopen]
    ["Move the Marks…" critic-move-marks]
    ["Export…" critic-export]
    ("View"
     ["Comments Below Paragraphs" critic-toggle-comments
      :style toggle :selected critic-comments-below]
     ["Hide Delimiters" critic-toggle-delimiters
      :style toggle :selected critic-hide-delimiters]
     ["Marks in the File Alone"
      (if (critic--hiding-p) (critic-show-marks) (critic-hide-marks))
      :style toggle :selected (critic--hiding-p)]
     "---"
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
    ["Review Is Done" critic-done]
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
  ;; It says who writes the file.
  (when critic--moved (critic--show-status (critic--request "status")))
  (setq critic--saves-unmarked (if (critic--beside-p)
                                   (critic--keeps-out-p (current-buffer))
                                 (critic--held-p)))
  (cond ((critic--beside-p))
        (critic--saves-unmarked
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
    (require 'critic-beside)
    (require 'critic-hiding)
    (add-hook 'hack-local-variables-hook #'critic-hiding-enable nil t)
    (critic-hiding-enable)
    (critic-page-enable)
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
  (critic--restore)
  (remove-hook 'hack-local-variables-hook #'critic-hiding-enable t)
  (when (featurep 'critic-hiding) (critic-hiding-disable))
  (when (featurep 'critic-beside) (critic-beside-forget))
  (when (featurep 'critic-page) (critic-page-disable)))

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
  (critic-page--take-flymake)
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
