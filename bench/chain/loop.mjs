// Calls two handlers in turn with what the runtime does for each call (it reads an event as JSON, and writes JSON), many times, and prints
// one line of JSON: the time of a call of each, in microseconds. Arguments: the bundle, the event as JSON, the number of samples.

import { writeSync } from 'node:fs'
import { createRequire } from 'node:module'

const [, , file, event, samples] = process.argv
const { chained, empty } = createRequire(import.meta.url)(file)
const request = JSON.parse(event)
const context = { functionName: 'bench', getRemainingTimeInMillis: () => 29_000 }
const callsPerBatch = 500
const batchesPerSample = 5
// The log line is built, but the time to write it does not belong to the chain.
process.stdout.write = () => true

async function batch(handler) {
  const start = performance.now()
  for (let call = 0; call < callsPerBatch; call += 1) await handler(request, context)
  return ((performance.now() - start) * 1000) / callsPerBatch
}

const handlers = { chained, empty, json: async () => JSON.stringify(JSON.parse(event)) }

/** The fastest of several batches of each handler, in turn: other processes can only slow a batch down. */
async function sample() {
  const times = {}
  for (let turn = 0; turn < batchesPerSample; turn += 1) {
    for (const [name, handler] of Object.entries(handlers)) {
      times[name] = Math.min(times[name] ?? Number.POSITIVE_INFINITY, await batch(handler))
    }
  }
  return times
}

const warmUps = 4
for (let turn = 0; turn < warmUps; turn += 1) await sample()
const taken = []
while (taken.length < Number(samples)) taken.push(await sample())
writeSync(3, JSON.stringify(taken))
