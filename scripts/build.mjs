// npm run build: the addon for this platform, with the loader napi makes for it. All three files go
// to the top of the repository and are not committed.

import { existsSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { checkTools, installPackages } from "./lib/setup.mjs";
import { root, run } from "./lib/run.mjs";

await checkTools();
await installPackages();

const cli = join("node_modules", "@napi-rs", "cli", "dist", "cli.js");
const { code, output } = await run([
  "node", cli, "build", "--platform", "--release", "--features", "node",
  "--js", "binding.js", "--dts", "binding.d.ts", "--", "--locked",
]);
if (code !== 0) {
  process.stderr.write(output);
  console.error("The addon could not be built.");
  process.exit(1);
}

if (!existsSync(join(root, "binding.js"))) {
  // Without declarations from the macros napi knows of no exports and leaves the loader out.
  console.error("napi made no binding.js: in Cargo.toml, napi-derive needs its feature type-def.");
  process.exit(1);
}

// A build that found nothing to do leaves old times behind, and the next script would build again.
const now = new Date();
for (const name of readdirSync(root)) {
  if (name === "binding.js" || name.startsWith(`session-manager.${process.platform}-${process.arch}`)) {
    utimesSync(join(root, name), now, now);
  }
}
