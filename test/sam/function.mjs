// A function in place of SAM's container: runs the handler of a bundle for each line of JSON on standard input,
// and writes each result as a line of JSON to a pipe.

import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const [, , file, name, timeoutSeconds, pipe] = process.argv
const { handler } = createRequire(import.meta.url)(file)

for await (const line of createInterface({ input: process.stdin })) {
  const deadline = Date.now() + Number(timeoutSeconds) * 1000
  const context = {
    functionName: name,
    awsRequestId: randomUUID(),
    getRemainingTimeInMillis: () => deadline - Date.now(),
  }
  const result = await Promise.resolve(handler(JSON.parse(line), context)).catch((error) => ({
    errorType: error.name,
    errorMessage: error.message,
  }))
  write(`${JSON.stringify(result ?? null)}\n`)
}

/** A pipe accepts only a part of a long text at once. */
function write(text) {
  let rest = Buffer.from(text)
  while (rest.length > 0) rest = rest.subarray(writeSync(Number(pipe), rest))
}
