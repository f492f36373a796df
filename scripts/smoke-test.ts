// `npm run smoke-test`: a few calls that a deployment must answer correctly. They change nothing.

import { parseArgs } from 'node:util'
import { helpIfAsked } from '../local/help.ts'
import { faultOf, smokeCalls } from './smoke-calls.ts'

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

const { values } = parseArgs({ options: { url: { type: 'string' } } })
const { url = '' } = values
if (!URL.canParse(url)) {
  console.error(usage)
  process.exit(2)
}
const calls = smokeCalls(process.env['API_KEY'])
let failed = 0
for (const call of calls) {
  const fault = await faultOf(url, call)
  if (fault) failed += 1
  console.log(`${fault ? '✗' : '✓'} ${call.title}${fault ? `\n    ${fault}` : ''}`)
}
console.log(`\n${new URL(url).origin}: ${calls.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
