;;; critic-list.el --- The list of changes of critic.el  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `critic-list' shows the changes of a document as a table, which can be sorted
;; by each column and filtered, and from which changes are decided.

;;; Code:

(require 'critic)
(require 'tabulated-list)

(declare-function critic-page--follow "critic-page")

(defvar-local critic-list--source nil
  "The document that this list is about.")

(defvar-local critic-list--changes nil
  "What the server told last: the changes, each with a marker before it.")

(defvar-local critic-list--filters nil
  "What is listed: an alist of `kind', `author' and `open'.")

(defun critic-list--name ()
  "Return the name of the list that belongs to this buffer."
  (format "*Changes: %s*" (buffer-name)))

(defun critic-list ()
  "List every change of this document in another window."
  (interactive)
  (let ((changes (critic--request "changes")))
    (when (seq-empty-p changes) (message "No changes"))
    (pop-to-buffer (critic-list--print changes))
    ;; Only now it is known how wide the list is.
    (critic-list--fill)))

(defun critic-list--print (found)
  "Write what was FOUND into the list of this buffer, and return its buffer.
A window that shows the list stays on its change, or on its line
if that change is gone."
  (let ((source (current-buffer))
        (changes (seq-map (lambda (change)
                            (cons (copy-marker (car (critic--ends change)))
                                  change))
                          found)))
    (with-current-buffer (get-buffer-create (critic-list--name))
      (unless (derived-mode-p 'critic-list-mode) (critic-list-mode))
      (setq critic-list--source source)
      (setq critic-list--changes changes)
      (critic-list--fill)
      (current-buffer))))

(defun critic-list--fill ()
  "Fill this list with all that is to be listed."
  (let* ((shown (seq-filter (lambda (entry) (critic-list--shown-p (cdr entry)))
                            critic-list--changes))
         (signed (seq-some (lambda (entry)
                             (stringp (critic--get (cdr entry) :author)))
                           shown))
         (places (mapcar #'critic-list--place
                         (get-buffer-window-list nil t t))))
    (setq tabulated-list-format (critic-list--format shown signed))
    (unless (assoc (car tabulated-list-sort-key)
                   (append tabulated-list-format nil))
      (setq tabulated-list-sort-key nil))
    (setq tabulated-list-entries
          (mapcar (lambda (entry)
                    (list (car entry) (critic-list--row (cdr entry) signed)))
                  shown))
    (setq mode-name (concat "Changes" (critic-list--counts shown)))
    (tabulated-list-init-header)
    (tabulated-list-print t)
    (pcase-dolist (`(,window . ,place) places)
      (set-window-point window (apply #'critic-list--row-place place)))))

(defun critic-list--counts (shown)
  "Return for the mode line how much is SHOWN."
  (let* ((kinds (mapcar (lambda (entry) (critic--get (cdr entry) :kind)) shown))
         (others (length (seq-difference kinds critic--kinds))))
    (format ":%d%s%s" (- (length kinds) others)
            (if (= others 0) "" (format ", %d more" others))
            (mapconcat (lambda (filter)
                         (format " [%s]" (if (eq (car filter) 'open)
                                             "open comments"
                                           (cdr filter))))
                       critic-list--filters ""))))

(defun critic-list--place (window)
  "Return WINDOW with the change that point is on in it, line and column."
  (let ((pos (window-point window)))
    (list window (tabulated-list-get-id pos) (line-number-at-pos pos)
          (save-excursion (goto-char pos) (- pos (line-beginning-position))))))

(defun critic-list--row-place (change line column)
  "Return where COLUMN is in the row of CHANGE, or in LINE if there is none."
  (save-excursion
    (goto-char (point-min))
    (while (not (or (eobp) (equal (tabulated-list-get-id) change)))
      (forward-line))
    (when (eobp)
      (goto-char (point-min))
      (forward-line (1- line)))
    (min (+ (point) column) (line-end-position))))

;;;; Columns

(defun critic-list--format (shown signed)
  "Return the columns for what is SHOWN; if SIGNED, with authors and dates."
  (let* ((authors (when signed
                    (apply #'max 6
                           (mapcar (lambda (entry)
                                     (string-width
                                      (critic-list--author (cdr entry))))
                                   shown))))
         (others (+ 22 (if signed (+ (min 16 authors) 14) 0)))
         (room (- (window-body-width (get-buffer-window nil t)) others))
         (text (max 30 (min 70 (/ (* room 2) 3)))))
    (vconcat
     `(("#" 4 critic-list--earlier-p :right-align t)
       ("Kind" 12 t))
     (when signed
       `(("Author" ,(min 16 authors) t)
         ("Date" 11 critic-list--before-p)))
     `(("Text" ,text t)
       ("Comment" 0 t)))))

(defun critic-list--earlier-p (row other)
  "Return non-nil if ROW is about an earlier place than OTHER."
  (< (car row) (car other)))

(defun critic-list--before-p (row other)
  "Return non-nil if ROW is about an older change than OTHER."
  (string< (critic-list--sorted-by (aref (cadr row) 3))
           (critic-list--sorted-by (aref (cadr other) 3))))

(defun critic-list--sorted-by (cell)
  "Return by what CELL is sorted."
  (or (get-text-property 0 'critic-list-date (concat cell " ")) ""))

(defun critic-list--row (change signed)
  "Return the columns of CHANGE; if SIGNED, with its author and date."
  (let ((date (critic--get change :date))
        (number (critic--get change :number)))
    (vconcat
     (list (if (natnump number) (number-to-string number) "")
           (critic--get change :kind))
     (when signed
       (list (critic-list--author change)
             (if (stringp date)
                 (propertize (critic--date date) 'critic-list-date date)
               "")))
     (list (critic-list--text change)
           (critic-list--comments change)))))

(defun critic-list--author (change)
  "Return who made CHANGE, in the colour of the author, or an empty string."
  (let ((author (critic--get change :author)))
    (if (stringp author)
        (propertize author 'face (critic--face-of author))
      "")))

(defconst critic-list--around 14
  "How many characters before and after a change are listed with it.")

(defun critic-list--text (change)
  "Return what CHANGE is about, in its colours, with the text around it."
  (pcase-let ((old (critic--get change :old))
              (new (critic--get change :new))
              (`(,before ,after) (critic--around change)))
    (concat
     (propertize (substring before (max 0 (- (length before)
                                             critic-list--around)))
                 'face 'shadow)
     (when (equal (critic--get change :kind) "comment")
       (propertize "¶" 'face 'critic-comment))
     (string-join
      (delq nil (list (unless (equal old new)
                        (critic-list--coloured old 'critic-deletion))
                      (critic-list--coloured new (critic-list--face change))))
      " → ")
     (propertize (substring after 0 (min (length after) critic-list--around))
                 'face 'shadow))))

(defun critic-list--coloured (text face)
  "Return TEXT on one line in FACE, or nil if there is none."
  (unless (member text '(nil ""))
    (propertize (truncate-string-to-width (critic--line text) 40 nil nil "…")
                'face face)))

(defun critic-list--face (change)
  "Return the face of the text that CHANGE leads to."
  (pcase (critic--get change :kind)
    ("highlight" 'critic-highlight)
    ("comment" 'critic-comment)
    (_ 'critic-addition)))

(defun critic-list--comments (change)
  "Return the comments on CHANGE, dim if they are resolved."
  (let ((text (mapconcat
               (lambda (comment)
                 (pcase-let ((`(,author ,_ ,said)
                              (critic--parts-of-comment comment)))
                   (concat (when author (concat author ": "))
                           (critic--line (string-trim said)))))
               (critic--get change :comments) " | ")))
    (if (eq (critic--get change :resolved) t)
        (propertize text 'face 'critic-resolved)
      text)))

;;;; Filters

(defun critic-list--shown-p (change)
  "Return non-nil if CHANGE is to be listed."
  (seq-every-p
   (pcase-lambda (`(,what . ,value))
     (pcase what
       ('kind (equal value (critic--get change :kind)))
       ('author (equal value (critic--get change :author)))
       ('open (and (not (seq-empty-p (critic--get change :comments)))
                   (not (eq (critic--get change :resolved) t))))))
   critic-list--filters))

(defun critic-list--values (key)
  "Return every value of KEY in this list, each once."
  (seq-filter #'stringp
              (seq-uniq (mapcar (lambda (entry) (critic--get (cdr entry) key))
                                critic-list--changes))))

(defun critic-list--filter (what value)
  "List only that of which WHAT is VALUE, or any if it is empty."
  (setf (alist-get what critic-list--filters nil 'remove)
        (unless (equal value "") value))
  (critic-list--fill)
  (goto-char (point-min)))

(defun critic-list-filter-kind (kind)
  "List only what is of KIND, or of any if that is left empty."
  (interactive (list (completing-read "Kind: " (critic-list--values :kind)
                                      nil t)))
  (critic-list--filter 'kind kind))

(defun critic-list-filter-author (author)
  "List only what AUTHOR has made, or any if that is left empty."
  (interactive (list (completing-read "Author: " (critic-list--values :author)
                                      nil t)))
  (critic-list--filter 'author author))

(defun critic-list-filter-open ()
  "List only what has comments that are not resolved."
  (interactive)
  (critic-list--filter 'open t))

(defun critic-list-filter-none ()
  "List every change again."
  (interactive)
  (setq critic-list--filters nil)
  (critic-list--fill))

;;;; The mode

(defvar critic-list-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "RET") #'critic-list-visit)
    (define-key map "o" #'critic-list-show)
    (define-key map "a" #'critic-list-accept)
    (define-key map "r" #'critic-list-reject)
    (define-key map "c" #'critic-list-comment)
    (define-key map "k" #'critic-list-remove-comment)
    (define-key map "x" #'critic-list-resolve-comment)
    (define-key map "/k" #'critic-list-filter-kind)
    (define-key map "/a" #'critic-list-filter-author)
    (define-key map "/o" #'critic-list-filter-open)
    (define-key map "//" #'critic-list-filter-none)
    map)
  "Keys of `critic-list-mode'.")

(define-derived-mode critic-list-mode tabulated-list-mode "Changes"
  "Mode of the list of changes.

\\{critic-list-mode-map}"
  (setq tabulated-list-format [("#" 4 critic-list--earlier-p)])
  (setq tabulated-list-padding 1)
  (setq tabulated-list-sort-key nil)
  (setq-local revert-buffer-function #'critic-list--revert)
  (tabulated-list-init-header))

(defun critic-list--revert (&rest _)
  "Make the list anew."
  (with-current-buffer (critic-list--document)
    (critic-list--print (critic--request "changes"))))

(defun critic-list--document ()
  "Return the document that this list is about."
  (if (buffer-live-p critic-list--source)
      critic-list--source
    (user-error "The document is not open any more")))

(defun critic-list--position ()
  "Return where the change on this line is."
  (or (tabulated-list-get-id) (user-error "No change on this line")))

(defun critic-list--at-row (action)
  "Call ACTION with point at the change on this line.
Then make the list anew."
  (let ((pos (critic-list--position)))
    (with-current-buffer (critic-list--document)
      (save-excursion
        (critic--visit pos)
        (let ((mark-active nil)) (funcall action))))
    (revert-buffer)))

(defun critic-list-visit ()
  "Go to the change on this line."
  (interactive)
  (let ((pos (critic-list--position)))
    (pop-to-buffer (critic-list--document))
    (critic--visit pos)
    (when (featurep 'critic-page) (critic-page--follow))))

(defun critic-list-show ()
  "Show the change on this line in the other window."
  (interactive)
  (save-selected-window (critic-list-visit)))

(defun critic-list-accept ()
  "Accept the change on this line."
  (interactive)
  (critic-list--at-row #'critic-accept))

(defun critic-list-reject ()
  "Reject the change on this line."
  (interactive)
  (critic-list--at-row #'critic-reject))

(defun critic-list-comment (text)
  "Comment with TEXT on the change on this line."
  (interactive (list (critic--read-comment "Comment: ")))
  (critic-list--at-row (lambda () (critic-comment text))))

(defun critic-list-remove-comment ()
  "Remove the comment on the change on this line."
  (interactive)
  (critic-list--at-row #'critic-remove-comment))

(defun critic-list-resolve-comment ()
  "Resolve or reopen the comment on the change on this line."
  (interactive)
  (critic-list--at-row #'critic-resolve-comment))

(provide 'critic-list)

;;; critic-list.el ends here
