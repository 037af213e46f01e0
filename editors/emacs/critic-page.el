;;; critic-page.el --- The page of critic.el  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; How the page looks in `critic-mode': delimiters are hidden but in the line
;; of point, comments stand below their paragraph, and a sign beside each line
;; says what was changed in it.
;;
;; All of it is overlays, so that the text and its undo know nothing of it.
;; They are made by `jit-lock', paragraph by paragraph, for what is shown.
;;
;; Where the marks are beside the text, `critic-beside' knows what to draw.

;;; Code:

(require 'critic)
(require 'jit-lock)

(defvar critic-beside--on)
(declare-function critic-beside--draw "critic-beside")
(declare-function critic-beside--hide "critic-beside")
(declare-function critic-beside--show-again "critic-beside")
(declare-function flymake-diagnostic-beg "flymake")
(declare-function flymake-diagnostic-data "flymake")
(declare-function flymake-diagnostic-end "flymake")
(declare-function flymake-diagnostic-text "flymake")
(declare-function flymake-diagnostic-type "flymake")
(declare-function flymake-make-diagnostic "flymake")
(declare-function flymake-mode "flymake")

;;;; Overlays

(defvar-local critic-page--line nil
  "The line of point, as a marker at its beginning and one at its end.")

(defvar-local critic-page--open nil
  "The overlays that hide nothing, because they are in the line of point.")

(defvar-local critic-page--count 0
  "How many overlays were made since the last time some were thrown away.")

(defvar-local critic-page--drawn nil
  "What was drawn last, as (TICK FROM TO), while the text has that TICK.")

(defconst critic-page--most 3000
  "Of more overlays those that are not shown are thrown away.")

(defvar critic-page--categories nil
  "The categories of overlays that hide what they are on.
Each is a symbol with what is shown instead as its `display'.")

(defun critic-page--category (shown face)
  "Return the category of overlays that have SHOWN in FACE in their place."
  (let ((category (intern (format "critic-page-shows-%s" shown))))
    (unless (memq category critic-page--categories)
      (push category critic-page--categories)
      (put category 'critic-page-display
           (if face (propertize shown 'face face) shown))
      (put category 'display (get category 'critic-page-display)))
    category))

(defun critic-page--make (beg end &optional grows)
  "Return a new overlay from BEG to END.
If it GROWS, what is inserted at its ends is in it."
  (let ((overlay (make-overlay beg end nil (not grows) grows)))
    (setq critic-page--count (1+ critic-page--count))
    (overlay-put overlay 'critic-page t)
    overlay))

(defun critic-page--hide (beg end &optional shown face)
  "Have SHOWN in FACE, or nothing, in the place of the text from BEG to END.
In the line of point the text is shown as it is."
  (let ((overlay (critic-page--make beg end)))
    (overlay-put overlay 'evaporate t)
    (overlay-put overlay 'critic-page-hides
                 (critic-page--category (or shown "") face))
    (if (critic-page--in-line-p beg end)
        (push overlay critic-page--open)
      (overlay-put overlay 'category (overlay-get overlay 'critic-page-hides)))))

(defun critic-page--in-line-p (beg end)
  "Return non-nil if the line of point has some of the text from BEG to END."
  (and critic-page--line
       (<= beg (cdr critic-page--line))
       (<= (car critic-page--line) end)))

(defun critic-page--remove (beg end)
  "Remove the overlays between BEG and END."
  (dolist (overlay (overlays-in beg end))
    (when (overlay-get overlay 'critic-page) (delete-overlay overlay))))

;;;; The line of point

(defun critic-page--follow ()
  "Show all that is in the line of point, and hide what was left."
  (unless (and critic-page--line
               (<= (car critic-page--line) (point) (cdr critic-page--line))
               (= (cdr critic-page--line) (line-end-position))
               (= (car critic-page--line) (line-beginning-position)))
    (critic-page--note-line)
    (dolist (overlay (prog1 critic-page--open (setq critic-page--open nil)))
      (when (overlay-buffer overlay)
        (if (critic-page--in-line-p (overlay-start overlay)
                                    (overlay-end overlay))
            (push overlay critic-page--open)
          (overlay-put overlay 'category
                       (overlay-get overlay 'critic-page-hides)))))
    (save-restriction
      (widen)
      ;; Those that end or begin at the ends of the line, too.
      (dolist (overlay (overlays-in (max (point-min)
                                         (1- (car critic-page--line)))
                                    (min (point-max)
                                         (1+ (cdr critic-page--line)))))
        (when (and (overlay-get overlay 'critic-page-hides)
                   (overlay-get overlay 'category)
                   (critic-page--in-line-p (overlay-start overlay)
                                           (overlay-end overlay)))
          (overlay-put overlay 'category nil)
          (push overlay critic-page--open))))))

(defun critic-page--note-line ()
  "Remember where the line of point is."
  (unless critic-page--line
    (setq critic-page--line (cons (make-marker) (make-marker)))
    (set-marker-insertion-type (cdr critic-page--line) t))
  (save-restriction
    (widen)
    (set-marker (car critic-page--line) (line-beginning-position))
    (set-marker (cdr critic-page--line) (line-end-position))))

(defvar critic-page--plain-commands
  '(next-line previous-line next-logical-line previous-logical-line
    fill-paragraph fill-region fill-region-as-paragraph
    fill-individual-paragraphs fill-nonuniform-paragraphs
    markdown-fill-paragraph prog-fill-reindent-defun
    kill-rectangle delete-rectangle copy-rectangle-as-kill yank-rectangle
    open-rectangle clear-rectangle string-rectangle string-insert-rectangle
    delete-whitespace-rectangle rectangle-mark-mode move-to-column
    evil-next-line evil-previous-line)
  "Commands that count columns: for them, nothing is hidden.")

(defun critic-page--before-command ()
  "Hide nothing if the command counts columns."
  (when (memq this-command critic-page--plain-commands)
    (dolist (category critic-page--categories) (put category 'display nil))
    (critic-beside--hide)
    ;; Another buffer may be current when it is over.
    (add-hook 'post-command-hook #'critic-page--hide-again)))

(defun critic-page--hide-again ()
  "Hide again what was not hidden for a command."
  (remove-hook 'post-command-hook #'critic-page--hide-again)
  (critic-beside--show-again)
  (dolist (category critic-page--categories)
    (put category 'display (get category 'critic-page-display))))

(defun critic-page--throw-away ()
  "Throw away the overlays of what is in no window.
They are made again when it is shown again."
  (setq critic-page--count 0 critic-page--drawn nil)
  (save-restriction
    (widen)
    (let ((from (point-min)))
      (dolist (start (append (sort (mapcar #'window-start
                                           (get-buffer-window-list nil nil t))
                                   #'<)
                             (list (+ (point-max) critic--reach))))
        (let ((to (min (point-max) (- start critic--reach))))
          (when (< from to)
            (dolist (overlay (overlays-in from to))
              (when (overlay-get overlay 'critic-page)
                (delete-overlay overlay)))
            (with-silent-modifications
              (put-text-property from to 'fontified nil))))
        (setq from (min (point-max) (max from (+ start critic--reach))))))))

;;;; Paragraphs

(defconst critic-page--longest 6000
  "How many characters a paragraph may have to be looked at as a whole.
In a longer one each line is for itself, and in a longer line
comments stay in the text.")

(defconst critic-page--begins
  "^[ \t]*\\(?:$\\|#+[ \t]\\|\\(?:[-*+]\\|[0-9]+[.)]\\)[ \t]\\)"
  "What begins a line that does not go on with the paragraph before it.")

(defun critic-page--block (pos)
  "Return where the paragraph of POS begins and ends, behind its line end.
The third element is non-nil if its comments can be below it."
  (save-excursion
    (goto-char pos)
    (let* ((bol (line-beginning-position))
           (next (min (point-max) (1+ (line-end-position))))
           (start (critic-page--block-start bol))
           (end (and start (critic-page--block-end start next))))
      (cond ((< critic-page--longest (- next bol))
             (list (max bol (- pos critic-page--longest))
                   (min next (+ pos critic-page--longest))
                   nil))
            (end (list start end t))
            (t (list bol next t))))))

(defun critic-page--start (pos)
  "Return where the paragraph of POS begins, and each mark in it.
A mark that reaches into it can begin in the middle of another."
  (pcase-let* ((`(,start ,_ ,whole) (critic-page--block pos))
               (mark (critic--mark-start start)))
    (if (and whole (< mark start)) (critic-page--start mark) mark)))

(defun critic-page--block-start (bol)
  "Return where the paragraph with the line at BOL begins, or nil if too far."
  (goto-char bol)
  (let ((bound (max (point-min) (- bol critic-page--longest))))
    (cond ((looking-at-p critic-page--begins) bol)
          ((re-search-backward critic-page--begins bound t)
           (line-beginning-position))
          ((= bound (point-min)) bound))))

(defun critic-page--block-end (start next)
  "Return where the paragraph from START ends, not before NEXT.
Return nil if that is too far."
  (goto-char next)
  (let ((bound (min (point-max) (+ start critic-page--longest))))
    (cond ((< bound next) nil)
          ((re-search-forward critic-page--begins bound t)
           (match-beginning 0))
          ((= bound (point-max)) bound))))

(defun critic-page--draw (beg end)
  "Draw the paragraphs of the text from BEG to END, for `jit-lock'.
So much that no window shows it is drawn when it is shown."
  (if (< critic--reach (- end beg))
      (with-silent-modifications (put-text-property beg end 'fontified nil))
    (when (< critic-page--most critic-page--count) (critic-page--throw-away))
    (if critic-beside--on
        (critic-beside--draw beg end)
      (critic-page--draw-now beg end)))
  nil)

(defun critic-page--drawn-p (tick beg end)
  "Return non-nil if the text from BEG to END is drawn as it was at TICK."
  (pcase-let ((`(,drawn ,from ,to) critic-page--drawn))
    (and (eql drawn tick) (<= from beg) (<= end to))))

(defun critic-page--draw-now (beg end)
  "Draw the paragraphs of the text from BEG to END."
  (let ((now (buffer-chars-modified-tick)))
    (unless (critic-page--drawn-p now beg end)
      (save-match-data
        (save-excursion
          (save-restriction
            (widen)
            (let* ((from (critic-page--start beg))
                   (to (nth 1 (critic-page--block
                               (max from (min (1- end) (point-max))))))
                   (marks (critic-page--marks from to))
                   (last (seq-reduce (lambda (most mark)
                                       (max most (1- (nth 2 mark))))
                                     marks (1- to))))
              ;; The last one may end in another paragraph.
              (when (<= to last (+ to critic-page--longest))
                (setq to (nth 1 (critic-page--block last))
                      marks (critic-page--marks from to)))
              (critic-page--remove from to)
              (unless critic--view (critic-page--draw-all marks))
              (setq critic-page--drawn (list now from to)))))))))

(defun critic-page--marks (from to)
  "Return each mark that begins between FROM and TO.
What is code can only be seen in the colours of the text."
  (goto-char from)
  (when (re-search-forward critic--opener to t)
    (when (and (text-property-not-all from to 'fontified t)
               (progn (goto-char from)
                      (re-search-forward "`\\|^[ \t>]*~~~\\|^    " to t)))
      (font-lock-fontify-region from to))
    (seq-filter (lambda (mark) (<= from (nth 1 mark)))
                (critic--marks from from to))))

(defun critic-page--draw-all (list)
  "Draw each mark in LIST, of one paragraph or several."
  (let ((block '(0 0 nil))
        threads line)
    (pcase-dolist (`(,kind ,start ,stop ,divider) list)
      (unless (< start (nth 1 block))
        (when threads (critic-page--put-below threads))
        (setq block (critic-page--block start)
              threads nil))
      (when critic-signs
        (let ((bol (save-excursion (goto-char start)
                                   (line-beginning-position))))
          (unless (or (eql bol line)
                      (and (eq kind ?>) (critic--attribution-p start stop)))
            (setq line bol)
            (critic-page--sign kind start))))
      (cond ((not (eq kind ?>))
             (when critic-hide-delimiters
               (critic-page--hide start (+ start 3))
               (when divider
                 (critic-page--hide divider (+ divider 2) "→" 'critic-delimiter))
               (critic-page--hide (- stop 3) stop)))
            ((critic--attribution-p start stop)
             (when critic-hide-delimiters (critic-page--hide start stop)))
            ((and critic-comments-below (nth 2 block))
             (unless threads (setq threads (list (nth 1 block) 0)))
             (critic-page--comment threads start stop))))
    (when threads (critic-page--put-below threads))))

;;;; Comments

;; THREADS is (END COUNT . COMMENTS): where the paragraph ends, how many threads
;; there are, and each comment as (NUMBER TEXT RESOLVED), the last one first;
;; NUMBER is nil for an answer.

(defun critic-page--comment (threads start stop)
  "Add the comment from START to STOP to THREADS, and hide it."
  (let* ((answers (critic--answers-p start))
         (text (buffer-substring-no-properties (+ start 3) (- stop 3)))
         (resolved (if (and answers (cddr threads))
                       (nth 2 (car (cddr threads)))
                     (critic--says-resolved-p text)))
         (number (unless (and answers (cddr threads)) (1+ (cadr threads)))))
    (when number (setcar (cdr threads) number))
    (push (list number text resolved) (cddr threads))
    (critic-page--hide start stop
                       (if number (critic-page--raised number) "")
                       (when number 'critic-number))))

(defun critic-page--raised (number)
  "Return NUMBER in small raised digits."
  (apply #'string
         (mapcar (lambda (digit) (aref "⁰¹²³⁴⁵⁶⁷⁸⁹" (- digit ?0)))
                 (number-to-string number))))

(defun critic-page--put-below (threads)
  "Put THREADS below their paragraph."
  (let* ((end (car threads))
         (ended (eq (char-before end) ?\n))
         (overlay (if ended
                      (critic-page--make (1- end) end)
                    (critic-page--make end end)))
         (width (critic-page--width))
         (lines (mapconcat (lambda (comment)
                             (critic-page--below comment width))
                           (reverse (cddr threads)) "\n")))
    (overlay-put overlay 'after-string
                 (if ended
                     (concat lines "\n")
                   (concat (propertize " " 'cursor t) "\n" lines)))))

(defun critic-page--width ()
  "Return how many columns there are for comments."
  (let ((windows (get-buffer-window-list nil nil t)))
    (max 20 (1- (if windows
                    (apply #'min (mapcar #'window-body-width windows))
                  fill-column)))))

(defun critic-page--below (comment width)
  "Return what stands below a paragraph for COMMENT, in WIDTH columns."
  (pcase-let* ((`(,number ,text ,resolved) comment)
               (`(,author ,date ,said) (critic--parts-of-comment text))
               (face (if resolved 'critic-resolved 'critic-comment))
               (head (concat
                      (if number (concat (critic-page--raised number) " ")
                        "    ")
                      (when author
                        (propertize author 'face
                                    (if resolved face (critic--face-of author))))
                      (when date (concat " " (critic--date date)))
                      (when author "  ")))
               (told (concat head (critic--line (string-trim said)))))
    (add-face-text-property 0 (length told) face t told)
    (add-face-text-property 0 (length told) 'default t told)
    (critic-page--wrapped told width (if number 2 6))))

(defun critic-page--wrapped (text width indent)
  "Return TEXT in lines of WIDTH columns, all but the first INDENT columns in."
  (let (lines)
    (while (< width (string-width text))
      (let* ((fits (length (truncate-string-to-width text width)))
             (space (seq-find (lambda (pos) (eq (aref text pos) ?\s))
                              (number-sequence fits (1+ indent) -1)))
             (cut (max 1 (or space fits))))
        (push (substring text 0 cut) lines)
        (setq text (concat (make-string indent ?\s)
                           (string-trim-left (substring text cut))))))
    (string-join (nreverse (cons text lines)) "\n")))

;;;; Signs

(defconst critic-page--bitmaps
  '((?+ critic-page-addition [0 24 24 126 126 24 24 0])
    (?- critic-page-deletion [0 0 0 126 126 0 0 0])
    (?~ critic-page-substitution [0 0 98 246 222 140 0 0])
    (?= critic-page-highlight [0 126 126 0 0 126 126 0])
    (?> critic-page-comment [62 118 118 54 22 22 22 22]))
  "What is in the fringe for each kind of mark.")

(defconst critic-page--signs
  '((?+ "+" critic-addition) (?- "−" critic-deletion)
    (?~ "~" critic-substitution-old) (?= "=" critic-highlight)
    (?> "¶" critic-comment))
  "What is in the margin for each kind of mark, and its face.")

(defun critic-page--in-fringe-p ()
  "Return non-nil if signs are in the fringe, and not in the margin."
  (and (eq critic-signs t) (display-graphic-p) (fboundp 'define-fringe-bitmap)))

(defun critic-page--sign (kind pos)
  "Have a sign for a mark of KIND beside the line of POS."
  (pcase-let ((`(,sign ,face) (alist-get kind critic-page--signs))
              (overlay (critic-page--make pos (1+ pos))))
    (overlay-put overlay 'evaporate t)
    (overlay-put
     overlay 'before-string
     (propertize " " 'display
                 (if (critic-page--in-fringe-p)
                     (list 'left-fringe
                           (car (alist-get kind critic-page--bitmaps))
                           'critic-sign)
                   `((margin left-margin)
                     ;; The text beside it may be coloured.
                     ,(concat (propertize sign 'face
                                          (list 'critic-sign
                                                (if (eq kind ?~)
                                                    'critic-substitution-new
                                                  face)
                                                'default))
                              (propertize " " 'face 'default))))))))

(defun critic-page--set-margins ()
  "Make room for signs in the margin, or what there was before them."
  (dolist (window (get-buffer-window-list nil nil t))
    (set-window-margins window left-margin-width right-margin-width)))

;;;; Flymake

;; Where the text has colours, Flymake's wavy lines and its signs say the same
;; once more; and Eglot strikes all of a replacement through.  The list of
;; Flymake and its count stay.

(put 'critic-change 'flymake-category 'flymake-note)
(put 'critic-change 'flymake-bitmap nil)
(put 'critic-change 'flymake-margin-string nil)
(put 'critic-change 'flymake-overlay-control
     '((face . nil) (before-string . nil)))
(put 'critic-change 'flymake-type-name "note")

(defvar flymake-diagnostic-functions)

(defvar-local critic-page--backend nil
  "The backend of Flymake that tells of the server's list.")

(defconst critic-page--backends
  '("eglot-flymake-backend" "lsp-diagnostics--flymake-backend")
  "The backends of Flymake that may tell of the server's list.")

(defun critic-page--take-flymake ()
  "Have Flymake show nothing where the text has colours."
  (when-let* (((not critic-show-flymake))
              ((boundp 'flymake-diagnostic-functions))
              (backend (seq-find (lambda (function)
                                   (member (format "%s" function)
                                           critic-page--backends))
                                 flymake-diagnostic-functions)))
    (setq critic-page--backend backend)
    (setq-local flymake-diagnostic-functions
                (mapcar (lambda (function)
                          (if (eq function backend) #'critic-page--flymake
                            function))
                        flymake-diagnostic-functions))
    ;; It may have begun with the other one.
    (when (bound-and-true-p flymake-mode)
      (flymake-mode -1)
      (flymake-mode))))

(defun critic-page--return-flymake ()
  "Undo `critic-page--take-flymake'."
  (when (and critic-page--backend (boundp 'flymake-diagnostic-functions)
             (memq #'critic-page--flymake flymake-diagnostic-functions))
    (setq-local flymake-diagnostic-functions
                (mapcar (lambda (function)
                          (if (eq function #'critic-page--flymake)
                              critic-page--backend
                            function))
                        flymake-diagnostic-functions)))
  (setq critic-page--backend nil))

(defun critic-page--flymake (report &rest more)
  "Have the client's backend tell REPORT, with MORE, as we want it shown."
  (apply (or critic-page--backend #'ignore)
         (lambda (diagnostics &rest others)
           (apply report
                  (if (listp diagnostics)
                      (mapcar #'critic-page--diagnostic diagnostics)
                    diagnostics)
                  others))
         more))

(defun critic-page--diagnostic (diagnostic)
  "Return DIAGNOSTIC, without a look of its own if a mark has its place.
So have ours where the marks are beside the text, or may be."
  (let ((beg (flymake-diagnostic-beg diagnostic))
        (end (flymake-diagnostic-end diagnostic)))
    (if (or (and (or critic-beside--on (not critic--status))
                 (critic-page--ours-p diagnostic))
            (and (integerp beg) (integerp end)
                 (save-excursion
                   (save-restriction
                     (widen)
                     (save-match-data
                       (goto-char beg)
                       (and (looking-at-p critic--opener)
                            (critic--mark-here)))))))
        (flymake-make-diagnostic (current-buffer) beg end 'critic-change
                                 (flymake-diagnostic-text diagnostic)
                                 (flymake-diagnostic-data diagnostic))
      diagnostic)))

(defun critic-page--ours-p (diagnostic)
  "Return non-nil if DIAGNOSTIC is about a change.
Of lsp-mode's it is not known who told them; ours are notes."
  (if-let ((told (alist-get 'eglot-lsp-diag
                            (flymake-diagnostic-data diagnostic))))
      (equal (plist-get told :source) "critic")
    (eq (flymake-diagnostic-type diagnostic) :note)))

;;;; On and off

(defun critic-page--wanted-p ()
  "Return non-nil if anything is to be drawn here."
  (or critic-hide-delimiters critic-comments-below critic-signs))

(defun critic-page--redraw ()
  "Draw what is shown anew, with the others when they are shown."
  (critic-page--note-line)
  (setq critic-page--open nil critic-page--drawn nil)
  (save-restriction
    (widen)
    (critic-page--remove (point-min) (point-max))
    (jit-lock-refontify)))

(defvar-local critic-page--known-width nil
  "How wide the comments were when the windows last changed.")

(defun critic-page--resize (_window)
  "Wrap comments anew if the windows are not as wide as before."
  (let ((width (critic-page--width)))
    (unless (eql width critic-page--known-width)
      (setq critic-page--known-width width)
      (when critic-comments-below (critic-page--redraw)))))

(defun critic-page--extend (beg end length)
  "See to it that what follows a new line end is drawn anew.
BEG, END and LENGTH are those of the change."
  (when (and (boundp 'jit-lock-end) (< beg end) (= length 0)
             (save-excursion
               (goto-char beg)
               (search-forward "\n" end t)))
    (set 'jit-lock-end
         (max (symbol-value 'jit-lock-end)
              (save-restriction
                (widen)
                (nth 1 (critic-page--block (min (point-max) (1+ end)))))))))

(defun critic-page-enable ()
  "Draw the page in this buffer."
  (when (fboundp 'define-fringe-bitmap)
    (pcase-dolist (`(,_ ,name ,bits) critic-page--bitmaps)
      (define-fringe-bitmap name bits nil nil '(center nil))))
  (critic-page--note-line)
  (jit-lock-register #'critic-page--draw)
  ;; It has to see which text is code.
  (remove-hook 'jit-lock-functions #'critic-page--draw t)
  (add-hook 'jit-lock-functions #'critic-page--draw 90 t)
  (add-hook 'jit-lock-after-change-extend-region-functions
            #'critic-page--extend nil t)
  (add-hook 'pre-command-hook #'critic-page--before-command nil t)
  (add-hook 'post-command-hook #'critic-page--follow 90 t)
  (add-hook 'window-size-change-functions #'critic-page--resize nil t)
  (add-hook 'window-buffer-change-functions #'critic-page--resize nil t)
  (when (and critic-signs (not (critic-page--in-fringe-p)))
    (critic--set 'left-margin-width (max 2 left-margin-width))
    (critic-page--set-margins)))

(defun critic-page-disable ()
  "Undo `critic-page-enable'."
  (jit-lock-unregister #'critic-page--draw)
  (remove-hook 'jit-lock-after-change-extend-region-functions
               #'critic-page--extend t)
  (remove-hook 'pre-command-hook #'critic-page--before-command t)
  (remove-hook 'post-command-hook #'critic-page--follow t)
  (remove-hook 'window-size-change-functions #'critic-page--resize t)
  (remove-hook 'window-buffer-change-functions #'critic-page--resize t)
  (critic-page--return-flymake)
  (save-restriction
    (widen)
    (critic-page--remove (point-min) (point-max)))
  (critic-page--set-margins)
  (setq critic-page--line nil critic-page--open nil critic-page--drawn nil))

(defun critic-toggle-comments ()
  "Show comments below their paragraphs in this buffer, or in the text."
  (interactive)
  (critic-page--toggle 'critic-comments-below)
  (message (if critic-comments-below "Comments are below their paragraphs"
             "Comments are in the text")))

(defun critic-toggle-delimiters ()
  "Show or hide the delimiters in this buffer."
  (interactive)
  (critic-page--toggle 'critic-hide-delimiters)
  (message (if critic-hide-delimiters
               "Delimiters are hidden but in the line of point"
             "Delimiters are shown")))

(defun critic-page--toggle (option)
  "Turn OPTION on or off in this buffer."
  (unless (bound-and-true-p critic-mode)
    (user-error "This needs `critic-mode'"))
  (set (make-local-variable option) (not (symbol-value option)))
  (critic-page--redraw))

(provide 'critic-page)

;;; critic-page.el ends here
