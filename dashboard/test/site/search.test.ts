import { beforeAll, expect, test } from 'vitest'
import { type SearchedSection, searchIn } from '../../site/browser/search-engine.ts'
import { buildSite } from '../../site/build-site.ts'

let find: (query: string) => SearchedSection[]
beforeAll(async () => {
  const files = await buildSite()
  find = searchIn(JSON.parse(new TextDecoder().decode(files.get('/docs/search.json')?.body)))
})

/** What somebody asks, and sections of which one must be among the first three results. */
const questions: [string, RegExp][] = [
  ['why this and not Alchemy directly', /^why\.html/],
  ['why do I get a 401', /^missing\.html#401/],
  ['why is an NFT missing', /^missing\.html#an-nft-is-missing$/],
  ['upgrade to a new version', /^changes\.html#upgrading$/],
  ['forget a player', /^changes\.html#forgetting-a-player$/],
  ['rotate a webhook secret', /^(reference-webhooks\.html#rotate-webhook-secret|webhooks\.html)/],
  ['add a chain', /^changes\.html#open-or-add-a-chain$/],
  ['leaked key', /^runbook\.html#(a-leaked-key|an-api-key)$/],
  ['first deploy', /^first-day\.html/],
  ['what do 1,000 daily players cost', /^costs\.html#what-daily-players-cost$/],
  ['which chains', /^chains\.html/],
  ['npm run check-login', /^connect-your-platform\.html/],
  ['rate_limited', /^reference-problems\.html#rate_limited$/],
  ['wallet sign', /^wallet-sign-in\.html/],
  ['webhok', /webhook/],
  ['playerTokenVerifier', /^client-typescript\.html/],
]

test.each(questions)('"%s" finds its section among the first three', (question, right) => {
  const found = find(question)
    .slice(0, 3)
    .map(({ to }) => to)
  expect(found.join('\n')).toMatch(new RegExp(right, 'm'))
})

test('nothing is found by no word, and by words that say nothing', () => {
  expect([find(''), find('how do I'), find('xyzzyx')]).toEqual([[], [], []])
})
