// One execution environment of a function. Its parent, function-process.ts, tells it which events to send.
// It loads nothing else, so that time and memory of the process are those of the function.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const [, , load, file] = process.argv
const require = createRequire(import.meta.url)
const { handler } = load === 'require' ? require(file) : await import(pathToFileURL(file).href)
const context = { functionName: 'bench', getRemainingTimeInMillis: () => 29_000 }

process.on('message', async ({ events }) => {
  process.send(await run(events))
})
process.once('disconnect', () => process.exit())
process.send('ready')

/** Carries out operations, one after the other, and measures each. */
async function run(events) {
  const operations = []
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  for (const event of events) operations.push(await carryOut(event))
  const milliseconds = performance.now() - start
  const { user, system } = process.cpuUsage(cpuBefore)
  return {
    milliseconds,
    cpuMilliseconds: (user + system) / 1000,
    peakMegabytes: peakKilobytes() / 1024,
    operations: operations.map(({ answers, times, ...operation }) => ({
      ...operation,
      slowestMilliseconds: Math.max(...times),
      statusCodes: answers.map(({ statusCode }) => statusCode),
      entries: answers.reduce((sum, { body }) => sum + entriesIn(body), 0),
    })),
    body: shortened(operations.at(-1).answers.at(-1).body),
  }
}

/** The peak memory of this process. The value of getrusage can be that of the parent process. */
function peakKilobytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1])
}

async function carryOut(event) {
  const start = performance.now()
  const answers = []
  const times = []
  const send = async (sent) => {
    const sentAt = performance.now()
    answers.push(await handler(sent, context))
    times.push(performance.now() - sentAt)
  }
  await send(event)
  const next = () => cursorIn(answers.at(-1))
  for (let cursor = next(); cursor; cursor = next()) await send(withCursor(event, cursor))
  return { milliseconds: performance.now() - start, answers, times }
}

/** The cursor at the end of a response. Parsing the whole response would count as time of the function. */
const cursorIn = ({ body = '' }) =>
  /"nextCursor":"([^"]+)"(?:,"asOf":"[^"]+")?(?:,"stale":true)?\}$/.exec(body.slice(-4_000))?.[1]

function withCursor(event, cursor) {
  const queryStringParameters = { ...event.queryStringParameters, cursor }
  const rawQueryString = new URLSearchParams(queryStringParameters).toString()
  return { ...event, queryStringParameters, rawQueryString }
}

const entriesIn = (body = '') => body.split('"tokenId":').length - 1

const shortened = (body = '') => (body.length > 10_000 ? '' : body)
