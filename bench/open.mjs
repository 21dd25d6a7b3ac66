// Opens one session with one implementation, in a process of its own.
//
//   node bench/open.mjs MODULE FILE time      open, and tell what that took: seconds, and bytes of memory
//   node bench/open.mjs MODULE FILE answer    open, and tell what was found

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [module, file, mode] = process.argv.slice(2);
const { SessionManager } = await import(pathToFileURL(module).href);

if (mode === "answer") {
  const manager = SessionManager.open(file);
  report({ entries: manager.getEntries().length, leaf: manager.getLeafId() });
} else {
  forgetPeak();
  const before = process.memoryUsage.rss();
  const started = performance.now();
  const manager = SessionManager.open(file);
  const seconds = (performance.now() - started) / 1000;
  const peak = peakMemory();
  // The manager is used after the measurement, so that it cannot have been collected before.
  report({ seconds, memory: Math.max(0, peak - before), peak, leaf: manager.getLeafId() });
}

function report(result) {
  process.stdout.write(JSON.stringify(result));
}

/** Linux can begin counting anew, so that the peak of loading the module is not taken for ours. */
function forgetPeak() {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Elsewhere the peak is that of the whole process, which is at least as much.
  }
}

/** Largest resident size in bytes. */
function peakMemory() {
  try {
    // Not from resourceUsage: on Linux that one inherits the peak of the process that started us.
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
  } catch {
    return process.resourceUsage().maxRSS * 1024;
  }
}
