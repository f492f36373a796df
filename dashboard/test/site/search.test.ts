import { beforeAll, expect, test } from 'vitest'
import { type SearchedSection, searchIn } from '../../site/browser/search-engine.ts'
import { buildSite } from '../../site/build-site.ts'

let find: (query: string) => SearchedSection[]
beforeAll(async () => {
  const files = await buildSite()
  const [index] = [...files].filter(([path]) => path.startsWith('/docs/search-'))
  find = searchIn(JSON.parse(new TextDecoder().decode(index?.[1].body)))
})

/** What somebody asks, and sections of which one must be among the first three results. */
const questions: [string, RegExp][] = [
  ['why a 401', /^(runbook|reference-problems)\.html/],
  ['forget a player', /^changes\.html#forgetting-a-player$/],
  ['rotate a webhook secret', /^(reference-webhooks\.html#rotate-webhook-secret|webhooks\.html)/],
  ['add a chain', /^(changes\.html#the-networks-of-the-indexer|allowlists\.html#chains)$/],
  ['leaked key', /^runbook\.html#(a-leaked-key|an-api-key)$/],
  ['first deploy', /^first-day\.html/],
  ['1,000 daily players cost', /^costs\.html/],
  ['which chains', /^allowlists\.html#chains$/],
  ['npm run check-login', /^connect-your-platform\.html/],
  ['wallet sign', /^wallet-sign-in\.html/],
  ['webhok', /webhook/],
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
