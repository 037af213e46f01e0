;;; critic-hiding.el --- A file with its marks, its buffer without  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; The marks of a document stay in its file, and its buffer holds the clean
;; text: see `critic-hide-marks'.  What is read from the file loses its marks
;; before anyone else sees it.  The server, which reads the file by itself, keeps
;; them, carries what is typed to them, and writes the file when it is saved.
;;
;; Emacs never writes such a file, for it has no marks to write: without the
;; server, or if it refuses, saving fails, and the text stays modified.

;;; Code:

(require 'critic)

;; A buffer goes on without its marks whatever its major mode becomes.

(defvar-local critic-hiding--file nil
  "The file whose marks this buffer has not, or nil.")
(put 'critic-hiding--file 'permanent-local t)

(defvar-local critic-hiding--choice nil
  "What was chosen for this buffer alone: `hide', `show', or nil.")
(put 'critic-hiding--choice 'permanent-local t)

(defvar-local critic-hiding--known nil
  "What identifies each clean text that the file may have of our doing.
That is what was read or saved last, and what is being saved.")
(put 'critic-hiding--known 'permanent-local t)

(defvar-local critic-hiding--answer nil
  "What the server has said to keeping the marks of this file.
It is nil if it was not asked, `kept', a list as long as it has
not answered, or the reason why it does not.")

(defun critic-hiding-p ()
  "Return non-nil if this file has CriticMarkup that its buffer has not."
  critic-hiding--file)

(defun critic-hiding-kept-p ()
  "Return non-nil if the server has the CriticMarkup of this file."
  (eq critic-hiding--answer 'kept))

;;;; Commands

;;;###autoload
(defun critic-hide-marks ()
  "Show this file without its CriticMarkup.
The file keeps it.  The option `critic-hide-marks' does so for every file."
  (interactive)
  (critic-hiding--need-saved)
  (when critic-hiding--file (user-error "The marks are hidden"))
  (unless critic-mode (user-error "Nothing is tracked here without `critic-mode'"))
  (when-let* ((reason (critic-hiding--why-not))) (user-error "%s" reason))
  (setq critic-hiding--choice 'hide)
  (critic-hiding--hide))

;;;###autoload
(defun critic-show-marks ()
  "Show the CriticMarkup of this file in the buffer again."
  (interactive)
  (critic-hiding--need-saved)
  (unless critic-hiding--file (user-error "The marks are not hidden"))
  (setq critic-hiding--choice 'show)
  (critic-hiding--show))

;;;###autoload
(defun critic-write-clean ()
  "Write the text of this buffer into a new file beside its own.
It is for when the file cannot be saved with its marks."
  (interactive)
  (unless critic-hiding--file (user-error "The marks are not hidden"))
  (let ((file (critic-hiding--free-name)))
    (save-restriction
      (widen)
      ;; Not over a file that has come there meanwhile.
      (write-region (point-min) (point-max) file nil 'quiet nil 'excl))
    (message "The text without its marks is in %s" file)))

(defun critic-hiding--free-name ()
  "Return the name of a file beside this one that does not exist."
  (let* ((base (file-name-sans-extension buffer-file-name))
         (extension (file-name-extension buffer-file-name t))
         (name (concat base ".clean" extension))
         (number 1))
    (while (file-exists-p name)
      (setq number (1+ number)
            name (format "%s.clean-%d%s" base number extension)))
    name))

(defun critic-hiding--need-saved ()
  "Signal an error if the buffer has something that its file has not."
  (unless buffer-file-name (user-error "This buffer has no file"))
  (when (buffer-modified-p) (user-error "Save the buffer first")))

;;;; What is read

(defun critic-hiding-enable ()
  "Hide the CriticMarkup of the file in this buffer, if that is wanted."
  (cond (critic-hiding--file
         (critic-hiding--set-up)
         (critic-hiding--check-recovered))
        ((and (critic-hiding--wanted-p)
              (not (buffer-modified-p))
              (not (critic-hiding--why-not)))
         (critic-hiding--hide))))

(defun critic-hiding--wanted-p ()
  "Return non-nil if the CriticMarkup of this file is to be hidden."
  (pcase critic-hiding--choice
    ('hide t)
    ('show nil)
    (_ critic-hide-marks)))

(defun critic-hiding--why-not ()
  "Return why the CriticMarkup of this file cannot be hidden, or nil."
  (cond ((not (derived-mode-p 'markdown-mode 'markdown-ts-mode))
         "Marks are hidden in Markdown alone")
        ((buffer-base-buffer) "This buffer shares the text of another one")
        ((not (file-regular-p buffer-file-name)) "There is no such file yet")
        ((critic-hiding--beside-p) "The marks are beside the text")
        ((not (critic-hiding--written-so-p))
         "The server would write this file in another encoding")))

(defun critic-hiding--written-so-p ()
  "Return non-nil if this file is in UTF-8, as the server writes it."
  (let ((coding (or buffer-file-coding-system 'undecided)))
    (and (memq (coding-system-type coding) '(utf-8 undecided))
         ;; Nor does it write line ends of a carriage return alone.
         (not (eql 2 (coding-system-eol-type coding))))))

(defun critic-hiding--beside-p ()
  "Return non-nil if there is a record beside the file."
  (file-exists-p (concat buffer-file-name ".critic")))

(defun critic-hiding--hide ()
  "Put the clean text in the place of the file's, if it can be read.
Otherwise say why not."
  (condition-case problem
      (let ((text (critic-hiding--clean buffer-file-name
                                        buffer-file-coding-system)))
        (critic-hiding--apart
         (lambda ()
           (critic-hiding--put text)
           (critic-hiding--note text)
           (setq critic-hiding--file buffer-file-name)
           (critic-hiding--set-up))))
    (error (message "The marks of %s stay in the text: %s" (buffer-name)
                    (error-message-string problem)))))

(defun critic-hiding--show ()
  "Put the text of the file in the place of the clean one."
  (critic-hiding--apart
   (lambda ()
     (save-restriction
       (widen)
       (let ((buffer-undo-list t) (inhibit-read-only t))
         (insert-file-contents buffer-file-name t nil nil t)))
     ;; Not before the marks are there.
     (critic-hiding--forget)
     (critic-hiding--forget-undo))))

(defun critic-hiding--apart (change)
  "Change the text by calling CHANGE, without telling the server.
For it, the document is closed, and opened anew."
  (let ((client (critic--running)))
    (when client (critic-client-leave client))
    (funcall change)
    (font-lock-flush)
    (setq critic--status nil)
    (when client (critic--start))))

(defun critic-hiding--put (text)
  "Let the buffer hold TEXT, and count as not modified."
  (let ((source (generate-new-buffer " *critic*" t))
        (target (current-buffer)))
    (unwind-protect
        (save-restriction
          (widen)
          (with-current-buffer source (insert text))
          ;; Where the buffer has a file, Emacs would ask for that.
          (let ((buffer-file-truename nil)
                (buffer-undo-list t)
                (inhibit-read-only t))
            (if (and (= (point) (point-min)) (not (get-buffer-window nil t)))
                (progn
                  (erase-buffer)
                  (insert-buffer-substring source)
                  (goto-char (point-min)))
              (replace-buffer-contents source 0.2)))
          (set-buffer-modified-p nil))
      (with-current-buffer target (kill-buffer source)))
    (critic-hiding--forget-undo)))

(defun critic-hiding--forget-undo ()
  "Forget what could be undone: it was done to another text."
  (unless (eq buffer-undo-list t) (setq buffer-undo-list nil)))

(defun critic-hiding--clean (file coding)
  "Return the clean text of FILE, which is decoded by CODING.
Signal an error if it has none, or one that would be read as text
with CriticMarkup."
  (let ((text (critic-hiding--export "--clean" file coding)))
    (when (critic-hiding--has-marks-p text)
      (error "The text has what looks like a mark"))
    text))

(defun critic-hiding--export (variant file coding)
  "Return the VARIANT of the text of FILE, which is decoded by CODING.
It is \"--clean\" or \"--original\"."
  (let ((problem (make-temp-file "critic"))
        (coding-system-for-read coding)
        (default-directory (file-name-directory file)))
    (unwind-protect
        (with-temp-buffer
          (unless (eql 0 (process-file critic-program file (list t problem) nil
                                       "export" variant "-"))
            (erase-buffer)
            (insert-file-contents problem)
            (error "%s" (string-trim (buffer-string))))
          (buffer-string))
      (delete-file problem))))

(defun critic-hiding--exported (variant text)
  "Return the VARIANT of TEXT, or nil if it has none."
  (let ((file (make-temp-file "critic"))
        (coding 'utf-8-emacs-unix))
    (unwind-protect
        (ignore-errors
          (let ((coding-system-for-write coding))
            (write-region text nil file nil 'quiet))
          (critic-hiding--export variant file coding))
      (delete-file file))))

(defun critic-hiding--has-marks-p (text)
  "Return non-nil if TEXT would be read as one with CriticMarkup."
  (and (string-match-p critic--opener text)
       (not (equal text (critic-hiding--exported "--clean" text)))))

(defun critic-hiding--insert (file auto-save-p)
  "Read FILE in the place of the text, as `revert-buffer' does.
With AUTO-SAVE-P it is an auto-save file, which has no marks."
  (let ((read (and (not auto-save-p)
                   (file-readable-p file)
                   (not (critic-hiding--beside-p))
                   (condition-case problem
                       (critic-hiding--read file)
                     (error
                      (message "The marks of %s are in the text: %s"
                               (buffer-name) (error-message-string problem))
                      nil)))))
    (if (not read)
        (progn
          (revert-buffer-insert-file-contents--default-function
           file auto-save-p)
          (unless auto-save-p (critic-hiding--forget)))
      (pcase-let ((`(,time ,coding ,text) read))
        (widen)
        (critic-hiding--put text)
        (critic-hiding--note text)
        (setq buffer-file-coding-system coding)
        (set-visited-file-modtime time)))))

(defun critic-hiding--read (file)
  "Return when FILE was changed, its coding system and its clean text."
  (let* ((time (critic-hiding--time file))
         (coding (with-temp-buffer
                   (insert-file-contents file)
                   last-coding-system-used)))
    (list time coding (critic-hiding--clean file coding))))

(defun critic-hiding--time (file)
  "Return when FILE was changed."
  (file-attribute-modification-time (file-attributes file)))

(defun critic-hiding--check-recovered ()
  "Hide no CriticMarkup if the text that was recovered has it.
It was then written when nothing was hidden."
  (when (and (buffer-modified-p) (critic-hiding--marked-p))
    (critic-hiding--forget)
    (message "The marks of %s are in the recovered text" (buffer-name))))

(defun critic-hiding--marked-p ()
  "Return non-nil if this text has CriticMarkup, and the file's original.
Marks that were typed into a clean text are text."
  (let ((text (critic-hiding--text)))
    (and (critic-hiding--has-marks-p text)
         (equal (critic-hiding--exported "--original" text)
                (ignore-errors
                  (critic-hiding--export "--original" buffer-file-name
                                         buffer-file-coding-system))))))

;;;; What is written

(defun critic-hiding--write ()
  "Have the server write the file, and return non-nil.
Signal an error if it does not, and leave the text modified."
  (when critic-hiding--file
    (condition-case problem
        (critic-hiding--have-written)
      (error
       (user-error "Not written: %s; `critic-write-clean' writes the text beside"
                   (error-message-string problem))))
    (set-visited-file-modtime)
    (set-buffer-modified-p nil)
    (unless save-silently (message "Wrote %s" buffer-file-name))
    ;; Emacs takes the one that was used last for that of the file.
    (setq last-coding-system-used (critic-hiding--coding))
    t))

(defun critic-hiding--coding ()
  "Return the coding system that the file has been written in.
What was pure ASCII may be more by now."
  (if (eq (coding-system-base buffer-file-coding-system) 'undecided)
      (coding-system-change-text-conversion buffer-file-coding-system 'utf-8)
    buffer-file-coding-system))

(defun critic-hiding--have-written ()
  "Have the server write the file."
  (critic--need-client)
  (critic-hiding--await-answer)
  (unless buffer-backed-up
    ;; The file stays where it is: the server changes it.
    (let ((backup-by-copying t)) (backup-buffer)))
  (let ((text (critic-hiding--text)))
    ;; It may have been written, though there is no answer.
    (push (critic-hiding--told text) critic-hiding--known)
    (critic--request "write")
    (critic-hiding--note text)))

(defvar critic-hiding--patience 10
  "How many seconds saving waits for what the server says to the marks.")

(defun critic-hiding--await-answer ()
  "Wait for the server's answer to whether it can keep the CriticMarkup.
Signal an error if it does not, or has not answered in time."
  ;; What was in the way may be gone.
  (unless (or (consp critic-hiding--answer) (eq critic-hiding--answer 'kept))
    (critic-hiding-ask))
  (with-timeout (critic-hiding--patience (error "The server does not answer"))
    (while (consp critic-hiding--answer) (accept-process-output nil 0.05)))
  (pcase critic-hiding--answer
    ('kept)
    ('nil (error "The server does not know this file"))
    (reason (error "%s" reason))))

(defun critic-hiding--text ()
  "Return the text of the buffer."
  (save-restriction
    (widen)
    (buffer-substring-no-properties (point-min) (point-max))))

(defun critic-hiding--told (text)
  "Return what identifies TEXT."
  (md5 text nil nil 'utf-8-emacs-unix))

(defun critic-hiding--note (text)
  "Note that TEXT is the clean text of the file."
  (setq critic-hiding--known (list (critic-hiding--told text))))

;;;; The server

(defun critic-hiding-ask ()
  "Have the server, to which the document was opened, keep the CriticMarkup.
Of a text that has some, it would take that, and not the file's."
  (critic-hiding--check-recovered)
  (cond ((not critic-hiding--file))
        ((critic-hiding--has-marks-p (critic-hiding--text))
         (setq critic-hiding--answer "the text has what looks like a mark")
         (message "%s cannot be saved: %s" (buffer-name) critic-hiding--answer))
        (t (critic-hiding--ask))))

(defun critic-hiding--ask ()
  "Ask the server to keep the CriticMarkup of this file."
  (let ((asked (list 'asked)))
    (setq critic-hiding--answer asked)
    (unless (critic--request-or
             (lambda (_result) (critic-hiding--take asked 'kept))
             (lambda (reason) (critic-hiding--take asked reason))
             "marks" :marks "file")
      (setq critic-hiding--answer nil))))

(defun critic-hiding--take (asked answer)
  "Take the ANSWER to what was ASKED, unless that was asked anew.
If the server keeps no marks, they are shown."
  (when (and critic-hiding--file (eq asked critic-hiding--answer))
    (setq critic-hiding--answer answer)
    (force-mode-line-update)
    (if (eq answer 'kept)
        (critic--schedule)
      (message "The marks of %s cannot be hidden: %s" (buffer-name) answer)
      ;; Not while a message of the server is being taken.
      (run-at-time 0 nil #'critic-hiding--show-unmodified (current-buffer)))))

(defun critic-hiding--show-unmodified (buffer)
  "Show the CriticMarkup of BUFFER, unless its file has not all of it."
  (when (buffer-live-p buffer)
    (with-current-buffer buffer
      (when (and critic-hiding--file (not (buffer-modified-p)))
        (critic-hiding--show)))))

(defun critic-hiding-follow (status)
  "Follow what has become of the file, after the server has told its STATUS."
  (if (not critic-hiding--file)
      (when (equal (critic--get status :marks) "file")
        (critic-hiding--take-over))
    (when (eq critic-hiding--answer 'kept)
      (critic-hiding--follow-marks (critic--get status :marks)))))

(defun critic-hiding--take-over ()
  "Let Emacs write the file no more, for the server has hidden its CriticMarkup.
It has been asked to by someone else."
  (setq critic-hiding--file buffer-file-name
        critic-hiding--answer 'kept)
  (ignore-errors
    (critic-hiding--note (critic-hiding--export "--clean" buffer-file-name
                                                buffer-file-coding-system)))
  (critic-hiding--set-up))

(defun critic-hiding--follow-marks (place)
  "Follow that the server has the CriticMarkup at PLACE."
  (pcase place
    ("inline" (when (critic-hiding--marked-p) (critic-hiding--forget)))
    ("beside" (when (critic-hiding--beside-p) (critic-hiding--forget)))
    (_ (critic-hiding--take-file))))

;;;; Other programs on the file

;; The server writes the file when a change is accepted or a comment written,
;; and the clean text stays the same.

(defun critic-hiding--take-file ()
  "Return non-nil if the text of the file is still the one that is known.
What has been done to its marks is no change of this buffer."
  (or (verify-visited-file-modtime (current-buffer))
      (when-let* (((file-readable-p buffer-file-name))
                  (time (critic-hiding--time buffer-file-name)))
        (when (critic-hiding--known-p)
          (set-visited-file-modtime time)
          t))))

(defun critic-hiding--known-p ()
  "Return non-nil if the clean text of the file is one that is known."
  (when-let* ((text (ignore-errors
                      (critic-hiding--export "--clean" buffer-file-name
                                             buffer-file-coding-system))))
    (member (critic-hiding--told text) critic-hiding--known)))

(defun critic-hiding--stale-p (&optional noconfirm)
  "Return non-nil if the text of the file is another one.
NOCONFIRM is as in `buffer-stale-function'."
  (and (buffer-stale--default-function noconfirm)
       (not (critic-hiding--take-file))))

(defun critic-hiding--before-save (&rest _)
  "Keep `basic-save-buffer' from asking about what the server has written."
  (with-current-buffer (or (buffer-base-buffer) (current-buffer))
    (when critic-hiding--file (critic-hiding--take-file))))

(defun critic-hiding--expected-p (_file)
  "Return non-nil if one need not ask before this buffer is changed."
  (with-current-buffer (or (buffer-base-buffer) (current-buffer))
    (and critic-hiding--file (critic-hiding--take-file))))

(defun critic-hiding--renamed ()
  "Note that the buffer has another file now, or the same one once more."
  (cond ((not critic-hiding--file))
        ((equal buffer-file-name critic-hiding--file) (critic-hiding--set-up))
        ((and buffer-file-name
              (file-readable-p buffer-file-name)
              (critic-hiding--known-p))
         (setq critic-hiding--file buffer-file-name)
         (critic-hiding--apart #'critic-hiding--set-up))
        (t
         (critic-hiding--apart #'critic-hiding--forget)
         (message "%s has no marks in it" (buffer-name)))))

;;;; On and off

(defun critic-hiding--set-up ()
  "Read and write the file of this buffer in our own way."
  (add-hook 'write-file-functions #'critic-hiding--write nil t)
  (setq-local revert-buffer-insert-file-contents-function
              #'critic-hiding--insert)
  (setq-local buffer-stale-function #'critic-hiding--stale-p)
  (add-hook 'after-set-visited-file-name-hook #'critic-hiding--renamed)
  (advice-add 'basic-save-buffer :before #'critic-hiding--before-save)
  (advice-add 'ask-user-about-supersession-threat :before-until
              #'critic-hiding--expected-p))

(defun critic-hiding--forget ()
  "Let the file of this buffer be one as any other."
  (setq critic-hiding--file nil
        critic-hiding--known nil
        critic-hiding--answer nil)
  (remove-hook 'write-file-functions #'critic-hiding--write t)
  (kill-local-variable 'revert-buffer-insert-file-contents-function)
  (kill-local-variable 'buffer-stale-function)
  (unless (seq-some (lambda (buffer)
                      (buffer-local-value 'critic-hiding--file buffer))
                    (buffer-list))
    (remove-hook 'after-set-visited-file-name-hook #'critic-hiding--renamed)
    (advice-remove 'basic-save-buffer #'critic-hiding--before-save)
    (advice-remove 'ask-user-about-supersession-threat
                   #'critic-hiding--expected-p)))

(defun critic-hiding-disable ()
  "Show the CriticMarkup, now that `critic-mode' is turned off.
What is not saved keeps its text, and stays unsaved."
  (cond ((not critic-hiding--file))
        ((buffer-base-buffer) (critic-hiding--forget))
        ((not (buffer-modified-p)) (critic-hiding--show))
        (t (message "%s is not written without `critic-mode'"
                    (buffer-name)))))

(provide 'critic-hiding)

;;; critic-hiding.el ends here
