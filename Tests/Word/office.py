"""LibreOffice without windows, and what it shows of documents of Word and of its own."""

import os
import re
import subprocess
import sys
import time
import zipfile


class Office:
    """LibreOffice without windows, with a profile of its own."""

    def __init__(self, folder):
        import uno
        pipe = f"critic-lsp-{os.getpid()}"
        self.process = subprocess.Popen(
            ["soffice", "--headless", "--norestore", "--nologo", f"-env:UserInstallation=file://{folder}/profile",
             f"--accept=pipe,name={pipe};urp;"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        context = uno.getComponentContext()
        resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
        for _ in range(240):
            try:
                self.context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
                break
            except Exception:
                time.sleep(0.5)
        else:
            self.process.kill()
            sys.exit("LibreOffice does not answer")
        self.manager = self.context.ServiceManager
        self.desktop = self.manager.createInstanceWithContext("com.sun.star.frame.Desktop", self.context)
        self.dispatcher = self.manager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", self.context)

    def open(self, path=None):
        """A document; a new one without a path."""
        url = f"file://{path}" if path else "private:factory/swriter"
        return self.desktop.loadComponentFromURL(url, "_blank", 0, (_property("Hidden", True),))

    def store(self, document, path, kind):
        document.storeToURL(f"file://{path}", (_property("FilterName", kind),))

    def resolve(self, document, command):
        self.dispatcher.executeDispatch(document.CurrentController.Frame, command, "", 0, ())

    def close(self):
        try:
            self.desktop.terminate()
        except Exception:
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def _property(name, value):
    from com.sun.star.beans import PropertyValue
    return PropertyValue(name, 0, value, 0)


def elements(container):
    found = []
    enumeration = container.createEnumeration()
    while enumeration.hasMoreElements():
        found.append(enumeration.nextElement())
    return found


def lines(text):
    """The paragraphs of a text, and the rows of its tables."""
    found = []
    for part in elements(text):
        if part.supportsService("com.sun.star.text.TextTable"):
            rows = {}
            for name in part.getCellNames():
                row = name.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
                rows.setdefault(row, []).append(" / ".join(lines(part.getCellByName(name))))
            found += [" | ".join(cells) for cells in rows.values()]
        else:
            found.append(part.getString())
    return found


def shown(document):
    """What can be read. LibreOffice leaves an empty paragraph where one ended before a table that is gone, and behind a last table."""
    return [line for line in lines(document.getText()) if line]


def without_comments(path):
    """A copy of a document; builds without windows (libreoffice-writer-nogui) end when they should show comments."""
    stem, end = os.path.splitext(path)
    copy = f"{stem}-uncommented{end}"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            contents = old.read(name)
            if name in ("word/document.xml", "word/footnotes.xml"):
                contents = re.sub(rb'<w:commentRange(Start|End) [^>]*/>|<w:r><w:commentReference [^>]*/></w:r>', b"", contents)
            if name == "content.xml":
                contents = re.sub(rb"(?s)<office:annotation .*?</office:annotation>|<office:annotation-end [^>]*/>", b"", contents)
            new.writestr(name, contents)
    return copy


def convert(kind, folder, paths):
    """Has LibreOffice write documents into a folder in another format."""
    subprocess.run(
        ["soffice", "--headless", f"-env:UserInstallation=file://{folder}/other", "--convert-to", kind, "--outdir", folder]
        + paths, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def counts(folder, paths):
    """For each document, how many comments and tracked changes LibreOffice finds in it."""
    convert("fodt", folder, paths)
    found = []
    for path in paths:
        name = os.path.splitext(os.path.basename(path))[0] + ".fodt"
        with open(os.path.join(folder, name), encoding="utf8") as file:
            text = file.read()
        found.append((text.count("<office:annotation "), text.count("<text:changed-region ")))
    return found


def said(path):
    """How many comments a document has, and whether it has tracked changes."""
    with zipfile.ZipFile(path) as file:
        body = b"".join(file.read(f"word/{name}.xml") for name in ("document", "footnotes"))
        return file.read("word/comments.xml").count(b"<w:comment "), any(
            sign in body for sign in (b"<w:ins ", b"<w:del ", b"<w:pPrChange "))
