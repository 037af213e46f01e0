"""How long an editor is busy without a pause: the processor time of its main threads between two waits.

An editor's main loop waits for keys and messages in one place, so as long as its thread does not wait, it does not
turn. Linux counts the waits of a thread and its processor time. So nothing is asked of the editor, no key is
pressed, and what else runs on the machine is not counted. It is the most that the loop can have stood still: between
two messages that come at once it turns without a wait.
"""

import os
import threading
import time

INTERVAL = 0.002
# A thread that has run less than this part of the time is at rest.
AT_REST = 0.05


class Turning(threading.Thread):
    """Watches the processes of a session from now on: the editor's, and the server."""

    def __init__(self, session):
        super().__init__(daemon=True)
        self.session = session
        self.threads, self.lock, self.ends = {}, threading.Lock(), False

    def run(self):
        count = 0
        while not self.ends:
            if count % 50 == 0:
                self.find()
            count += 1
            with self.lock:
                for thread in list(self.threads.values()):
                    if not thread.look():
                        del self.threads[thread.process]
            time.sleep(INTERVAL)

    def find(self):
        """The processes that were started in the session's folder, without the tap."""
        server = self.session.wire.server_process
        for process in map(int, filter(str.isdigit, os.listdir("/proc"))):
            if process in self.threads or not self.is_ours(process):
                continue
            name = "server" if process == server else "editor"
            self.threads[process] = Thread(process, name)

    def is_ours(self, process):
        try:
            with open(f"/proc/{process}/environ", "rb") as file:
                home = f"HOME={self.session.folder}".encode() in file.read().split(b"\0")
            with open(f"/proc/{process}/cmdline", "rb") as file:
                return home and b"tap.py" not in file.read()
        except OSError:
            return False

    def start_anew(self):
        with self.lock:
            for thread in self.threads.values():
                thread.longest = thread.stretch = 0

    def longest(self, name):
        """The longest stretch since then, in nanoseconds."""
        with self.lock:
            return max((thread.longest for thread in self.threads.values() if thread.name == name), default=0)

    def at_rest(self, seconds=1):
        """Whether nobody does anything for so long."""
        before = self.total
        time.sleep(seconds)
        return self.total - before < AT_REST * seconds * 1e9

    @property
    def total(self):
        with self.lock:
            return sum(thread.time for thread in self.threads.values())


class Thread:
    """The main thread of a process."""

    def __init__(self, process, name):
        self.process, self.name = process, name
        self.stretch = self.longest = self.waits = self.time = 0
        self.look()

    def look(self):
        """Takes in what has been since it was looked at last; whether the thread is there still."""
        try:
            with open(f"/proc/{self.process}/task/{self.process}/schedstat") as file:
                time_now = int(file.read().split()[0])
            with open(f"/proc/{self.process}/task/{self.process}/status") as file:
                status = file.read()
        except OSError:
            return False
        at = status.index("\nvoluntary_ctxt_switches:") + len("\nvoluntary_ctxt_switches:")
        waits = int(status[at : status.index("\n", at)])
        if waits != self.waits:
            self.stretch = 0
        self.stretch += time_now - self.time
        self.longest = max(self.longest, self.stretch)
        self.waits, self.time = waits, time_now
        return True
