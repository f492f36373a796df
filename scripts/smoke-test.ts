// `npm run smoke-test`: a few calls that a deployment must answer correctly. They change nothing.

import { parseArgs } from 'node:util'
import { helpIfAsked } from '../local/help.ts'
import { type Expected, smokeCalls } from './smoke-calls.ts'

const usage = 'Usage: npm run --silent smoke-test -- --url URL'

helpIfAsked([
  usage,
  '',
  'Sends a few requests to a deployment and checks the answers. No request changes anything or needs a player. The exit',
  'code is 0 only if every answer is right.',
  '',
  '  --url       the address of the API: the output ApiUrl or EdgeUrl of the stack',
  '',
  'Environment variables:',
  '',
  '  API_KEY     the API key of a product, for one more request: the product information',
])

const secondsForAnswer = 35

const { values } = parseArgs({ options: { url: { type: 'string' } } })
const { url = '' } = values
if (!URL.canParse(url)) {
  console.error(usage)
  process.exit(2)
}
const calls = smokeCalls(process.env['API_KEY'])
let failed = 0
for (const call of calls) {
  const fault = await faultOf(call)
  if (fault) failed += 1
  console.log(`${fault ? '✗' : '✓'} ${call.title}${fault ? `\n    ${fault}` : ''}`)
}
console.log(`\n${new URL(url).origin}: ${calls.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** What is wrong with the answer, or undefined. Contains nothing of the request except its path. */
async function faultOf({ path, headers = {}, status, fault }: Expected) {
  try {
    const signal = AbortSignal.timeout(secondsForAnswer * 1000)
    const response = await fetch(new URL(path, url), { headers, signal, redirect: 'manual' })
    const text = await response.text()
    const requestId = response.headers.get('apigw-requestid')
    const answer = `GET ${path}: ${response.status} ${text.slice(0, 200)} (request ${requestId})`
    if (response.status !== status) return `${answer}, expected ${status}`
    const why = fault(text)
    return why && `${answer}: ${why}`
  } catch (error) {
    const { message, cause } = error as Error
    return `GET ${path}: ${(cause as Error | undefined)?.message ?? message}`
  }
}
