// One cold start in its own process: loads a function, calls it once, and prints one line of JSON.
// It loads as little else as possible. Arguments: `require` or `import`, the file, the event as JSON.

import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [, , load, file, event] = process.argv
const url = pathToFileURL(file).href
const require = createRequire(import.meta.url)
const start = performance.now()
const { handler } = load === 'require' ? require(file) : await import(url)
const imported = performance.now()
const context = { functionName: 'bench', getRemainingTimeInMillis: () => 29_000 }
const answer = await handler(JSON.parse(event), context)
const called = performance.now()
writeSync(
  3,
  JSON.stringify({
    importMilliseconds: imported - start,
    firstCallMilliseconds: called - start,
    answer,
    files: Object.keys(require.cache),
    undici: process.moduleLoadList.filter((name) => name.includes('undici')),
  }),
)
process.exit()
