import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { credentialsFrom } from './smoke-test/credentials.ts'
import { smokeTest } from './smoke-test/report.ts'

const usage = 'Usage: npm run --silent smoke-test -- --url URL'

helpIfAsked([
  usage,
  '',
  'Sends a few requests to a deployment and checks the answers. The exit code is 0 only if every answer is right. The',
  'last line says whether the indexer and the login were tested. No request changes anything, but that USER_JWT gets a',
  'player token, as in a login.',
  '',
  '  --url         the address of the API: the output ApiUrl or EdgeUrl of the stack',
  '',
  'Environment variables:',
  '',
  '  API_KEY       an API key of a product that has a contract; the scope READ is enough if the player has an NFT of it',
  '  PLAYER_TOKEN  a player token of a player with a wallet. With both, the indexer must answer about the NFTs and the',
  '                balance of this player',
  '  USER_JWT      a user JWT of the login, for which the deployment must create a player token. It takes the place of',
  '                PLAYER_TOKEN if that is not set',
  '  PRODUCT_ID    the product of the API key, if the deployment creates player tokens only for a product',
])

/** The URL of the arguments. Throws an Error with the usage, which repeats no argument: it could be a credential. */
function urlArgument(): string {
  try {
    const { values } = parseArgs({ options: { url: { type: 'string' } } })
    return new URL(values.url ?? '').href
  } catch {
    throw new Error(usage)
  }
}

try {
  const url = urlArgument()
  const { checked, whyUntested } = await smokeTest(url, credentialsFrom(process.env))
  for (const { title, fault } of checked) {
    console.log(`${fault ? '✗' : '✓'} ${title}${fault ? `\n    ${fault}` : ''}`)
  }
  const failed = checked.filter(({ fault }) => fault).length
  const counts = `${checked.length - failed} passed, ${failed} failed`
  const parts = Object.entries(whyUntested).map(([part, why]) =>
    why ? `The ${part} was not tested: ${why}.` : `The ${part} was tested.`,
  )
  console.log(`\n${new URL(url).origin}: ${counts}. ${parts.join(' ')}`)
  process.exitCode = failed > 0 ? 1 : 0
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 2
}
