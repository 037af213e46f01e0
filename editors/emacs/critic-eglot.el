;;; critic-eglot.el --- The server of critic.el through Eglot  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; What `critic' needs done by Eglot, from 1.9 on.  `critic-mode' loads it
;; where Eglot is to run the server.

;;; Code:

(require 'critic)
(require 'eieio)
(unless (require 'eglot nil t)
  (error "Eglot is not installed: M-x package-install RET eglot"))

(defvar eglot--cached-server)
(defvar eglot--versioned-identifier)
(defvar eglot-confirm-server-edits)
(defvar eglot-confirm-server-initiated-edits)
(declare-function critic-eglot-server--eieio-childp "critic-eglot")
(declare-function jsonrpc-async-request "ext:jsonrpc")
(declare-function jsonrpc-notify "ext:jsonrpc")
(declare-function jsonrpc-request "ext:jsonrpc")

;;;; What is used of Eglot

(declare-function eglot--TextDocumentIdentifier "ext:eglot")
(declare-function eglot--apply-text-edits "ext:eglot")
(declare-function eglot--lsp-position-to-point "ext:eglot")
(declare-function eglot--managed-mode-off "ext:eglot")
(declare-function eglot--maybe-activate-editing-mode "ext:eglot")
(declare-function eglot--pos-to-lsp-position "ext:eglot")
(declare-function eglot--server-info "ext:eglot")
(declare-function eglot--signal-textDocument/didChange "ext:eglot")
(declare-function eglot--signal-textDocument/didClose "ext:eglot")
(declare-function eglot--signal-textDocument/didOpen "ext:eglot")
(declare-function eglot-current-server "ext:eglot")
(declare-function eglot-ensure "ext:eglot")
(declare-function eglot-imenu "ext:eglot")
(declare-function eglot-lsp-server "ext:eglot")
(declare-function eglot-managed-p "ext:eglot")
;; Only some versions have these: each is looked for where it is used.
(declare-function eglot--track-changes-fetch "ext:eglot")
(declare-function eglot--update-hints-1 "ext:eglot")
(declare-function eglot--uri-to-path "ext:eglot")
(declare-function eglot-uri-to-path "ext:eglot")

(defun critic-eglot--known-p ()
  "Return non-nil if Eglot has all that is used of it in every version.
What has two dashes in its name it may lose without notice."
  (and (fboundp 'eglot--TextDocumentIdentifier)
       (fboundp 'eglot--apply-text-edits)
       (fboundp 'eglot--lsp-position-to-point)
       (fboundp 'eglot--managed-mode-off)
       (fboundp 'eglot--maybe-activate-editing-mode)
       (fboundp 'eglot--pos-to-lsp-position)
       (fboundp 'eglot--server-info)
       (fboundp 'eglot--signal-textDocument/didChange)
       (fboundp 'eglot--signal-textDocument/didClose)
       (fboundp 'eglot--signal-textDocument/didOpen)
       (fboundp 'eglot-current-server)
       (fboundp 'eglot-ensure)
       (fboundp 'eglot-imenu)
       (fboundp 'eglot-lsp-server)
       (fboundp 'eglot-managed-p)))

;;;; The server

(defclass critic-eglot-server (eglot-lsp-server) ()
  "The server as Eglot runs it.")

(cl-defmethod eglot-initialization-options ((_server critic-eglot-server))
  "Return what the server is told at its start."
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
         (uri (critic--edited-uri (plist-get params :edit))))
    (critic--take-edit (and uri (critic-eglot--path uri))
                       (plist-get params :label)
                       (lambda () (cl-call-next-method)))))

(cl-defmethod eglot-client-capabilities :around
  ((_server critic-eglot-server))
  "Return what the client can do: to show documents, too.
Eglot 1.9 does not show them by itself."
  (let* ((all (cl-call-next-method))
         (window (copy-sequence (plist-get all :window))))
    (plist-put all :window
               (plist-put window :showDocument '(:support t)))))

(cl-defmethod eglot-handle-request
  ((_server critic-eglot-server) (_method (eql 'window/showDocument))
   &key uri selection &allow-other-keys)
  "Show SELECTION of the document with URI."
  (critic--show-document (critic-eglot--path uri) selection)
  '(:success t))

(cl-defmethod eglot-handle-notification :after
  ((_server critic-eglot-server)
   (_method (eql 'textDocument/publishDiagnostics))
   &key uri &allow-other-keys)
  "Note that there is another list of the document with URI."
  (when-let* ((path (critic-eglot--path uri))
              (buffer (find-buffer-visiting path)))
    (with-current-buffer buffer (critic--note-list))))

(if (fboundp 'eglot-execute)
    (cl-defmethod eglot-execute :around
      ((_server critic-eglot-server) _action)
      "Take the edits that an action leads to at once."
      (let ((critic--asking t)) (cl-call-next-method)))
  (cl-defmethod eglot-execute-command :around
    ((_server critic-eglot-server) _command _arguments)
    "Take the edits that a command leads to at once."
    ;; The command is about a text that has just been changed.
    (critic--flush)
    (let ((critic--asking t)) (cl-call-next-method))))

(defun critic-eglot--path (uri)
  "Return the name of the file that Eglot knows as URI."
  (cond ((fboundp 'eglot-uri-to-path) (eglot-uri-to-path uri))
        ((fboundp 'eglot--uri-to-path) (eglot--uri-to-path uri))))

(defun critic-eglot--keep-apart (id &optional distance)
  "Have each change of a command reported by itself, in Eglot since 1.16.
ID is that of the tracker; with a DISTANCE, another change is
about to be made.  Eglot would report both as one, with what is
between them as if it had been typed anew."
  (when (and distance (bound-and-true-p critic-mode)
             (fboundp 'eglot--track-changes-fetch))
    (eglot--track-changes-fetch id)
    (critic-eglot--cancel-signals id)))

(defun critic-eglot--cancel-signals (id)
  "Cancel the timers that would signal what has been fetched for the tracker ID.
Each change after one that was fetched has a timer anew, and none
runs before the command is over.  Among hundreds of them, each
further timer takes milliseconds to be put in order."
  (dolist (timer timer-list)
    (when (and (eq (timer--function timer) 'track-changes--call-signal)
               (equal (timer--args timer) (list (current-buffer) id)))
      (cancel-timer timer))))

(defun critic-eglot--apply-edits (apply edits &optional version &rest more)
  "Make EDITS of the text with VERSION, or let APPLY do it, with MORE."
  (critic--keep-point
   edits
   (lambda ()
     (if (and (bound-and-true-p critic-mode)
              (>= (length edits) critic--many)
              (boundp 'eglot--versioned-identifier)
              (member version (list nil eglot--versioned-identifier)))
         (critic--apply-many edits)
       (apply apply edits version more)))))

;;;; Another name

(defvar-local critic-eglot--uri nil
  "The URI under which Eglot has opened this buffer, or nil.")

(defun critic-eglot--opened ()
  "Note under which name the document of this buffer has been opened."
  (setq critic-eglot--uri (critic-client-uri 'eglot))
  (critic--opened))

(defun critic-eglot--renamed ()
  "Open the document under the name that its file has by now.
Eglot tells the server nothing of that.  Where the file is gone under
its old name, it has been renamed."
  (when-let* ((old critic-eglot--uri)
              ((buffer-file-name))
              (server (critic-client-server 'eglot)))
    (jsonrpc-notify server :textDocument/didClose
                    (list :textDocument (list :uri old)))
    (eglot--signal-textDocument/didOpen)
    (unless (or (equal old critic-eglot--uri)
                (file-exists-p (critic-eglot--path old)))
      (jsonrpc-notify
       server :workspace/didRenameFiles
       (list :files (vector (list :oldUri old :newUri critic-eglot--uri)))))))

;;;; What a client does

(cl-defmethod critic-client-server ((_client (eql 'eglot)))
  "Return the server of this buffer if Eglot has it, or nil."
  (when-let* (((eglot-managed-p))
              (server (eglot-current-server)))
    (and (equal (plist-get (eglot--server-info server) :name) critic--name)
         server)))

(cl-defmethod critic-client-start ((_client (eql 'eglot)))
  "Have Eglot run the server in this buffer."
  (unless (critic-eglot--known-p)
    (error "This version of Eglot is not known to critic.el"))
  (critic--set 'eglot-server-programs
               (cons (append (list major-mode 'critic-eglot-server)
                             critic-server-command)
                     (default-value 'eglot-server-programs)))
  ;; Every keystroke at once: the server is not to work on an old text.
  (critic--set 'eglot-send-changes-idle-time 0)
  ;; Later versions agree on columns that need no function of ours.
  (when (and (fboundp 'eglot-lsp-abiding-column)
             (not (fboundp 'eglot-utf-16-linepos)))
    (critic--set 'eglot-current-column-function #'critic-eglot--column))
  (when (fboundp 'eglot--track-changes-signal)
    ;; There is no other way to be asked: a change that is fetched at another
    ;; time, as before each change, makes the tracker lose its place.
    (advice-add 'eglot--track-changes-signal
                :before #'critic-eglot--keep-apart))
  (advice-add 'eglot--apply-text-edits :around #'critic-eglot--apply-edits)
  (advice-add 'eglot--signal-textDocument/didOpen
              :after #'critic-eglot--opened)
  (advice-add 'jsonrpc-connection-receive :around #'critic--receive)
  (add-hook 'eglot-managed-mode-hook #'critic--managed nil t)
  (add-hook 'after-set-visited-file-name-hook #'critic-eglot--renamed nil t)
  ;; In another file of the same project, Eglot has been there before.
  (eglot--maybe-activate-editing-mode)
  (if (eglot-managed-p)
      (progn
        (setq critic-eglot--uri (critic-client-uri 'eglot))
        (critic--managed))
    (eglot-ensure)))

(defun critic-eglot--column ()
  "Return the column of point in UTF-16.
That of Eglot 1.9 encodes the line, which moves the gap; and where the
gap moves before the change, `transpose-regions' writes other text than
there was."
  (let ((pos (line-beginning-position))
        (column 0))
    (while (< pos (point))
      (setq column (+ column (if (> (char-after pos) #xffff) 2 1))
            pos (1+ pos)))
    column))

(cl-defmethod critic-client-leave ((_client (eql 'eglot)))
  "Have Eglot tell the server no more of this buffer."
  (eglot--signal-textDocument/didClose)
  (eglot--managed-mode-off))

(cl-defmethod critic-client-release ((_client (eql 'eglot)) last)
  "Undo in this buffer what starting Eglot has set up.
LAST is non-nil if no other buffer is in `critic-mode'."
  (remove-hook 'eglot-managed-mode-hook #'critic--managed t)
  (remove-hook 'after-set-visited-file-name-hook #'critic-eglot--renamed t)
  (when last
    (advice-remove 'eglot--track-changes-signal #'critic-eglot--keep-apart)
    (advice-remove 'eglot--apply-text-edits #'critic-eglot--apply-edits)
    (advice-remove 'eglot--signal-textDocument/didOpen #'critic-eglot--opened)
    (advice-remove 'jsonrpc-connection-receive #'critic--receive)))

(cl-defmethod critic-client-leave-clone ((_client (eql 'eglot)))
  "Take this indirect buffer, which is new, from Eglot."
  (when (eglot-managed-p)
    (setq eglot--cached-server nil)
    (eglot--managed-mode-off)))

(cl-defmethod critic-client-position ((_client (eql 'eglot)) pos)
  "Return POS as an LSP position, as Eglot counts."
  (eglot--pos-to-lsp-position pos))

(cl-defmethod critic-client-point ((_client (eql 'eglot)) position)
  "Return the LSP POSITION as a position in the buffer, as Eglot counts."
  (eglot--lsp-position-to-point position))

(cl-defmethod critic-client-uri ((_client (eql 'eglot)))
  "Return the URI by which the server knows this buffer from Eglot."
  (plist-get (eglot--TextDocumentIdentifier) :uri))

(cl-defmethod critic-client-flush ((_client (eql 'eglot)))
  "Have Eglot send what was typed and is not sent yet."
  ;; Eglot does not find what was changed outside of a narrowed buffer.
  (save-restriction
    (widen)
    (eglot--signal-textDocument/didChange)))

(cl-defmethod critic-client-request ((client (eql 'eglot)) method params)
  "Have Eglot, the CLIENT, send METHOD with PARAMS, and return the result."
  (jsonrpc-request (critic-client-server client) (intern (concat ":" method))
                   params))

(cl-defmethod critic-client-request-async
  ((client (eql 'eglot)) method params done failed)
  "Have Eglot, the CLIENT, send METHOD with PARAMS; DONE takes the result.
FAILED takes the reason if there is none."
  (jsonrpc-async-request
   (critic-client-server client) (intern (concat ":" method)) params
   :success-fn done
   :error-fn (lambda (problem) (funcall failed (plist-get problem :message)))
   :timeout-fn (lambda () (funcall failed "the server does not answer"))))

(cl-defmethod critic-client-notify ((client (eql 'eglot)) method params)
  "Have Eglot, the CLIENT, send METHOD with PARAMS."
  (jsonrpc-notify (critic-client-server client) (intern (concat ":" method))
                  params))

(cl-defmethod critic-client-update-hints ((_client (eql 'eglot)))
  "Have Eglot ask again for the inlay hints of the lines that are shown.
It asks after a key, and would show what was deleted beside its
mark until the next one."
  (when (and (bound-and-true-p eglot-inlay-hints-mode)
             (fboundp 'eglot--update-hints-1))
    (dolist (window (get-buffer-window-list nil nil t))
      (eglot--update-hints-1 (window-start window)
                             (window-end window t)))))

(cl-defmethod critic-client-imenu ((_client (eql 'eglot)))
  "Return the outline that Eglot has from the server."
  (eglot-imenu))

(cl-defmethod critic-client-return-imenu ((_client (eql 'eglot)))
  "Put back the outline in whose place Eglot has put that of the server."
  (remove-function (local 'imenu-create-index-function) #'eglot-imenu))

(provide 'critic-eglot)

;;; critic-eglot.el ends here
