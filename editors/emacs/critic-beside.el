;;; critic-beside.el --- The page of a text with its marks beside it  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Where the marks of a document lie beside its text, the buffer holds none
;; that `critic-page' could find.  What it draws is then told by the server: the
;; list of changes, which is asked for whenever it may have changed.
;;
;; The places in that list are those of one text.  Once a key has changed it,
;; nothing is drawn until there is a new list; what is drawn moves with the text.

;;; Code:

(require 'critic)
(require 'critic-page)

(defvar-local critic-beside--on nil
  "Whether the server's list is drawn, and not the marks in this buffer.")

(defvar-local critic-beside--told nil
  "What the server told last, as (TICK . CHANGES) with the TICK of its text.
Each change is (FIRST LAST . CHANGE), with its first and last line.")

;;;; What is told

(defun critic-beside-update ()
  "Draw the server's list anew, or take it away if it is not to be drawn."
  (unless (eq critic-beside--on (critic--beside-p))
    (setq critic-beside--on (critic--beside-p)
          critic-beside--told nil)
    (critic-page--redraw))
  (when critic-beside--on
    (let ((tick (buffer-chars-modified-tick)))
      (critic--request-async
       (lambda (changes)
         (when (and critic-beside--on (= tick (buffer-chars-modified-tick)))
           (critic-beside--take (cons tick (mapcar #'critic-beside--lines
                                                   changes)))))
       "changes"))))

(defun critic-beside--take (told)
  "Draw what was TOLD, unless it is drawn."
  (unless (equal told critic-beside--told)
    (setq critic-beside--told told)
    (critic-page--redraw)))

(defun critic-beside--lines (change)
  "Return CHANGE with its first and last line before it."
  (let ((range (critic--get change :range)))
    (cons (critic--get (critic--get range :start) :line)
          (cons (critic--get (critic--get range :end) :line)
                change))))

(defun critic-beside-forget ()
  "Draw the list no longer."
  (setq critic-beside--on nil critic-beside--told nil))

;;;; What is drawn

(defun critic-beside--draw (beg end)
  "Draw the paragraphs of the text from BEG to END, if the list is of this text."
  (let ((now (buffer-chars-modified-tick)))
    (unless (or (not (eql now (car critic-beside--told)))
                (critic-page--drawn-p now beg end))
      (save-match-data
        (save-excursion
          (save-restriction
            (widen)
            (let* ((from (car (critic-page--block beg)))
                   (last (max from (min (1- end) (point-max))))
                   (to (nth 1 (critic-page--block last))))
              (critic-page--remove from to)
              (unless critic--view (critic-beside--draw-all from to))
              (setq critic-page--drawn (list now from to)))))))))

(defun critic-beside--draw-all (from to)
  "Draw what there is of each change between FROM and TO."
  (let ((first (1- (line-number-at-pos from)))
        (last (1- (line-number-at-pos to)))
        (inside (lambda (pos) (or (< (1- from) pos to) (= pos to (point-max)))))
        signed threads)
    (pcase-dolist (`(,top ,bottom . ,change) (cdr critic-beside--told))
      (when (and (<= top last) (<= first bottom))
        (pcase-let* ((`(,start ,end) (critic--ends change))
                     (`(,sign ,old ,new) (critic-beside--look change))
                     (bol (critic-beside--line-start start))
                     ;; What is not in the text has the letter after it.
                     (behind (if new end start)))
          (when (and new (< start to) (< from end))
            (critic-beside--colour start end (critic-beside--face change new)))
          (when (funcall inside start)
            (when (and sign critic-signs (not (memql bol signed)))
              (push bol signed)
              (critic-page--sign sign (max bol (min start (1- (point-max))))))
            (when old
              (critic-beside--say
               start
               (critic-beside--deleted change (critic-beside--face change old)))
              (when new
                (critic-beside--say start (propertize "→" 'face
                                                      'critic-delimiter)))))
          (when (and critic-comments-below (funcall inside behind))
            (setq threads (critic-beside--comments change behind threads))))))
    (mapc #'critic-page--put-below threads)))

(defun critic-beside--line-start (pos)
  "Return where the line of POS begins."
  (save-excursion (goto-char pos) (line-beginning-position)))

(defun critic-beside--look (change)
  "Return the sign of CHANGE, and the faces of its old and of its new text.
What is not drawn has none."
  (pcase (critic--get change :kind)
    ("addition" '(?+ nil critic-addition))
    ("deletion" '(?- critic-deletion nil))
    ("substitution" '(?~ critic-substitution-old critic-substitution-new))
    ("highlight" '(?= nil critic-highlight))
    ("comment" '(?> nil nil))))

(defun critic-beside--face (change face)
  "Return FACE, in the colour of who made CHANGE if that is known."
  (let ((author (critic--get change :author)))
    (if (stringp author) (list (critic--face-of author) face) face)))

(defun critic-beside--colour (beg end face)
  "Give the text from BEG to END its FACE, and what is typed at its ends."
  (let ((overlay (critic-page--make beg end 'grows)))
    (overlay-put overlay 'evaporate t)
    (overlay-put overlay 'face face)))

(defconst critic-beside--longest 400
  "Of deleted text that has more columns, the rest is not shown.")

(defun critic-beside--deleted (change face)
  "Return the text that CHANGE has deleted, in FACE."
  (let ((text (truncate-string-to-width (critic--line (critic--get change :old))
                                        critic-beside--longest nil nil "…")))
    (propertize text 'face face)))

(defun critic-beside--say (pos text)
  "Show TEXT before POS, after what is shown there already."
  (let ((overlay (or (seq-find (lambda (overlay)
                                 (overlay-get overlay 'critic-beside))
                               (overlays-in pos pos))
                     (critic-page--make pos pos 'grows)))
        (text (copy-sequence text)))
    ;; The text around it may be coloured.
    (add-face-text-property 0 (length text) 'default t text)
    (overlay-put overlay 'critic-beside t)
    (overlay-put overlay 'before-string
                 (concat (overlay-get overlay 'before-string) text))))

(defun critic-beside--comments (change pos threads)
  "Return THREADS with the comments on CHANGE, and have a number at POS.
Each is one of a paragraph, as `critic-page--put-below' takes it."
  (pcase-let ((`(,_ ,end ,whole) (critic-page--block pos))
              (comments (append (critic--get change :comments) nil)))
    (when (and whole comments)
      (let* ((resolved (eq (critic--get change :resolved) t))
             (thread (or (assq end threads)
                         (car (push (list end 0) threads))))
             (number (setcar (cdr thread) (1+ (cadr thread)))))
        (critic-beside--say pos (propertize (critic-page--raised number)
                                            'face 'critic-number))
        (dolist (comment comments)
          (push (list number comment resolved) (cddr thread))
          (setq number nil))))
    threads))

;;;; Commands that count columns

(defvar critic-beside--hidden nil
  "The overlays whose strings are not shown, each with its string.")

(defun critic-beside--hide ()
  "Show no deleted text in this window for the time of a command."
  (when critic-beside--on
    (dolist (overlay (overlays-in (window-start) (window-end)))
      (when-let (((overlay-get overlay 'critic-beside))
                 (text (overlay-get overlay 'before-string)))
        (push (cons overlay text) critic-beside--hidden)
        (overlay-put overlay 'before-string nil)))))

(defun critic-beside--show-again ()
  "Show again what was not shown for a command."
  (pcase-dolist (`(,overlay . ,text) critic-beside--hidden)
    (overlay-put overlay 'before-string text))
  (setq critic-beside--hidden nil))

(provide 'critic-beside)

;;; critic-beside.el ends here
