import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { defineConfig, type Plugin } from "vite";

const STATIC = "../src/angelia/surfaces/console/static";
const COMPRESSIBLE = /\.(html|js|css|svg|webmanifest)$/;

/** Puts a compressed twin beside each file, so that the server never compresses anything. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir }) {
      if (dir === undefined) return;
      for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        if (!COMPRESSIBLE.test(name)) continue;
        const path = join(dir, name);
        const content = readFileSync(path);
        writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
        writeFileSync(`${path}.br`, brotliCompressSync(content));
      }
    },
  };
}

export default defineConfig({
  build: {
    outDir: STATIC,
    emptyOutDir: true,
    target: "es2022",
    // A data: URL would need a wider content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  plugins: [compressed()],
  server: { proxy: { "^/(v1|api|health|metrics|openapi.json)": "http://127.0.0.1:8642" } },
});
