;;; critic-review.el --- A walk through the changes of critic.el  -*- lexical-binding: t; -*-

;; Copyright (c) 2026 The critic-lsp authors

;; Author: The critic-lsp authors
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; `critic-review' goes from change to change and takes one key for each.  No
;; key gets into the text: what means nothing is told, and so is what fails.

;;; Code:

(require 'critic)

(declare-function critic-page--follow "critic-page")

(defconst critic-review--map
  (let ((map (make-sparse-keymap))
        (meta (make-sparse-keymap)))
    ;; In a terminal M-a is two keys, of which one would accept.
    (define-key meta [t] 'unknown)
    (define-key map (vector meta-prefix-char) meta)
    (define-key map [t] 'unknown)
    (pcase-dolist (`(,key . ,answer)
                   '(("a" . accept) ("r" . reject) ("c" . comment) ("e" . edit)
                     ("s" . skip) (" " . skip) ("b" . back)
                     ("q" . quit) ("\C-g" . quit)))
      (define-key map key answer))
    map)
  "What the keys do in `critic-review'; no other keymap counts there.")

(defconst critic-review--help
  "a accept, r reject, c comment, e edit here, SPC skip, b back, q quit"
  "What `critic-review' tells of its keys.")

(defun critic-review ()
  "Go from change to change, and ask what is to become of each.
It begins at point and goes around at the end.  One key decides:
\"a\" accepts, \"r\" rejects, \"c\" comments, \"e\" leaves with point
at the change, so that it can be edited; \"SPC\" or \"s\" skips,
\"b\" goes back to what was skipped, and \"q\" quits.

What was decided for one change is one step of undo.  What cannot
be done is told, and asked about again."
  (interactive "*")
  (let* ((steps (vconcat (or (critic-review--steps)
                             (user-error "No changes"))))
         (at 0)
         (decided (make-hash-table))
         (overlay (make-overlay (point) (point)))
         (told nil)
         (accepted nil)
         (end nil))
    (overlay-put overlay 'face 'highlight)
    (overlay-put overlay 'priority 100)
    (push-mark nil t)
    (unwind-protect
        (while (and (not end) (< at (length steps)))
          (pcase-let ((`(,change ,beg ,stop) (aref steps at)))
            ;; What fails must not end this: the next key would be typed.
            (condition-case failure
                (progn
                  (critic-review--show beg stop overlay)
                  (pcase (critic-review--read
                          (critic-review--question
                           change (critic-review--left at steps decided)
                           (prog1 told (setq told nil))))
                    ('quit (setq end 'quit))
                    ('edit (setq end 'edit))
                    ('comment (critic-review--comment change beg))
                    ('skip (setq at (critic-review--after at steps decided)))
                    ('back
                     (setq at (or (critic-review--before at decided)
                                  (progn (setq told "Nothing before this")
                                         at))))
                    ((and (or 'accept 'reject) answer)
                     (apply #'critic--request (symbol-name answer)
                            (critic-review--place change beg stop))
                     (puthash at t decided)
                     (when (eq answer 'accept) (setq accepted t))
                     (setq at (critic-review--after at steps decided)))))
              (quit (setq end 'quit))
              (error (setq told (error-message-string failure))))
            (undo-boundary)))
      (delete-overlay overlay))
    (message "%s decided%s%s"
             (critic--counted (hash-table-count decided) "change" "changes")
             (if (eq end 'edit) "; point is at the next one" "")
             (if (and accepted (critic--beside-p))
                 (substitute-command-keys
                  "; \\[critic-reopen] takes the last one back")
               ""))))

(defun critic-review--after (at all decided)
  "Return the number of the first after AT in ALL that is not DECIDED."
  (setq at (1+ at))
  (while (and (< at (length all)) (gethash at decided))
    (setq at (1+ at)))
  at)

(defun critic-review--left (at all decided)
  "Return how many of ALL from AT on are not DECIDED."
  (seq-count (lambda (step) (not (gethash step decided)))
             (number-sequence at (1- (length all)))))

(defun critic-review--before (at decided)
  "Return the number of the step before AT that is not DECIDED, or nil."
  (seq-find (lambda (step) (not (gethash step decided)))
            (number-sequence (1- at) 0 -1)))

(defun critic-review--steps ()
  "Return each change with its ends, from point on and around."
  (let* ((steps (seq-map (lambda (change)
                           (cons change
                                 (mapcar #'copy-marker (critic--ends change))))
                         (seq-filter
                          (lambda (change)
                            (member (critic--get change :kind) critic--kinds))
                          (critic--request "changes"))))
         (here (point))
         (later (lambda (step) (< here (nth 2 step)))))
    (append (seq-filter later steps) (seq-remove later steps))))

(defun critic-review--show (beg end overlay)
  "Put OVERLAY on the change from BEG to END, in the middle of the window."
  (critic--visit beg)
  (move-overlay overlay beg end)
  (when (featurep 'critic-page) (critic-page--follow))
  (when (eq (window-buffer) (current-buffer)) (recenter)))

(defun critic-review--place (change beg end)
  "Return CHANGE, from BEG to END, as a place for the server.
Where the marks are beside the text, no range is that of what was
deleted, and several changes can be at one place: there it is the
number of the change."
  (if (not (critic--beside-p))
      (list :range (critic--range beg end))
    (let (now nearest)
      (seq-doseq (other (critic--request "changes"))
        (pcase-let* ((`(,from ,to) (critic--ends other))
                     (away (abs (- from beg))))
          (when (and (<= from end) (<= beg to)
                     (seq-every-p (lambda (key)
                                    (equal (critic--get change key)
                                           (critic--get other key)))
                                  '(:kind :old :new :author))
                     (or (not now) (< away nearest)))
            (setq now other nearest away))))
      (unless now (user-error "This change is not there any more"))
      (list :change (critic--get now :number)))))

(defun critic-review--comment (change beg)
  "Ask for a comment on CHANGE, which begins at BEG."
  (let ((text (critic--read-comment "Comment: ")))
    (unless (string-empty-p text)
      (apply #'critic--write-comment text
             (critic-review--place change beg beg)))))

(defun critic-review--read (question)
  "Ask QUESTION, and return what the key means; any other asks again."
  (let ((overriding-terminal-local-map critic-review--map)
        (told "")
        answer)
    (while (not answer)
      (let ((keys (read-key-sequence-vector (concat told question) nil t)))
        (setq answer (lookup-key critic-review--map keys t))
        (unless (memq answer '(accept reject comment edit skip back quit))
          (setq answer nil)
          (setq told (format "[%s means nothing here] "
                             (key-description keys))))))
    answer))

(defun critic-review--question (change left told)
  "Return the question about CHANGE, with so many LEFT.
TOLD is what is to be said before it, or nil."
  (string-join
   (delq nil
         (append
          (list (concat (when told (format "[%s] " told))
                        (critic--change-told change)
                        (format " (%d to go)" left)
                        (when-let* ((author (critic--told-author change)))
                          (concat " by " author)))
                (critic-review--becomes change))
          (seq-map (lambda (comment)
                     (let ((parts (critic--parts-of-comment comment)))
                       (critic-review--cut
                        (concat "  " (when (car parts) (concat (car parts) ": "))
                                (critic--line (nth 2 parts))))))
                   (seq-take (critic--get change :comments) 4))
          (list critic-review--help)))
   "\n"))

(defun critic-review--cut (line)
  "Return as much of LINE as there is room for."
  (truncate-string-to-width line (max 20 (- (frame-width) 2)) nil nil "…"))

(defun critic-review--becomes (change)
  "Return the text around CHANGE as it is once that is accepted."
  (pcase-let ((room (max 10 (/ (- (frame-width) 40) 2)))
              (`(,before ,after) (critic--around change)))
    (critic-review--cut
     (concat "Becomes: "
             (substring before (max 0 (- (length before) room)))
             (propertize (critic--line (or (critic--get change :new) ""))
                         'face 'critic-addition)
             after))))

(provide 'critic-review)

;;; critic-review.el ends here
