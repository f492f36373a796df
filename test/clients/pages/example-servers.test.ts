import { readFileSync } from 'node:fs'
import { samples } from '@player-nfts/local/samples'
import { expect, test } from 'vitest'
import { productWith } from '../../support/requests/reading.ts'
import { freePort } from '../../support/services/free-port.ts'
import { sharedService } from '../../support/services/service.ts'
import { outputs } from '../../support/shown-output.ts'
import { onWindows } from '../../support/vitest/windows.ts'

const service = sharedService()

/** The commands of a page that begin so, with their dots replaced by the credentials of a reader. */
async function commandsOf(page: string, beginning: string) {
  const apiKey = await productWith(service, samples.collections.gear)
  const { playerToken } = await service.newPlayer(samples.players.threeWallets.wallets)
  const port = `${await freePort()}`
  const found = readFileSync(page, 'utf8').matchAll(new RegExp(`${beginning}[^\`\\n]*`, 'g'))
  const commands = Array.from(found, ([command]) =>
    command
      .replace(/(?<=API_KEY=)[\w-]*…/, apiKey)
      .replace(/eyJ\w*…/, playerToken)
      .replace('8080', port),
  )
  return { commands, port, variables: { SERVICE_URL: service.url, PORT: port } }
}

test.skipIf(onWindows)('the command of examples/browser-page serves the page', async () => {
  const page = 'examples/browser-page/README.md'
  const { commands, port, variables } = await commandsOf(page, 'API_KEY=\\S+ npx ')
  expect(commands).toHaveLength(1)
  await outputs(commands, variables, /^The page is at /m)
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  expect(await answer.text()).toContain(`content="${service.url}"`)
})

test.skipIf(onWindows)(
  'the commands of examples/game-server read the NFTs of a player',
  async () => {
    const page = 'examples/game-server/README.md'
    const server = await commandsOf(page, 'API_KEY=… npx ')
    const { commands, port } = await commandsOf(page, 'curl ')
    expect([server.commands, commands].map(({ length }) => length)).toEqual([1, 1])
    await outputs(server.commands, server.variables, /^The game server /m)
    const [answer = ''] = await outputs(
      commands.map((command) => command.replace(port, server.port)),
    )
    expect(JSON.parse(answer).nfts.length).toBeGreaterThan(0)
  },
)
