;;; melpa.el --- Installs what a recipe names  -*- lexical-binding: t; -*-

;; emacs -Q --batch -l melpa.el RECIPE REPOSITORY, in a home folder of its own.

(require 'package)
(require 'seq)

(pcase-let* ((`(,recipe ,repository) command-line-args-left)
             (`(,name . ,properties)
              (with-temp-buffer
                (insert-file-contents recipe)
                (read (current-buffer))))
             (folder (expand-file-name (format "%s" name) (make-temp-file "melpa" t))))
  (setq command-line-args-left nil)
  (unless (equal (file-name-nondirectory recipe) (symbol-name name))
    (error "%s is the recipe of %s" recipe name))
  (unless (and (eq (plist-get properties :fetcher) 'github)
               (string-match-p "\\`[^/]+/[^/]+\\'" (plist-get properties :repo)))
    (error "No repository: %S" properties))
  (make-directory folder)
  (dolist (pattern (plist-get properties :files))
    (let ((files (file-expand-wildcards (expand-file-name pattern repository))))
      (unless files (error "%s names no file" pattern))
      (dolist (file files) (copy-file file (file-name-as-directory folder)))))
  (package-initialize)
  (package-install-file folder)
  (require name)
  (unless (string-prefix-p (expand-file-name package-user-dir) (locate-library "critic"))
    (error "Loaded from %s" (locate-library "critic")))
  (dolist (command '(critic-mode global-critic-mode critic-accept))
    (unless (commandp command) (error "%s is no command" command))))

;;; melpa.el ends here
