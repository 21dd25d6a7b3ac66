import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A directory for the test `t`, in memory where there is such a place: waiting for a disk proves nothing here. */
export function fastDir(t) {
  const dir = realpathSync(mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "sm-")));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}
