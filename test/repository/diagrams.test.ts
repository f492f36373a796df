import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'
import { diagrams } from '../../scripts/diagrams.ts'

const drawn = diagrams()

test.each(drawn)('$path is a picture of the diagram on its page', ({ path, digest }) => {
  const svg = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const isCurrent = svg.includes(`<metadata>${digest}</metadata>`)
  expect(isCurrent, `${path} is stale: run \`npm run generate -- --pictures\`, commit it`).toBe(
    true,
  )
  // The Content-Security-Policy of the pages forbids them, and pictures show no HTML.
  expect(svg).not.toMatch(/<script|<style|<foreignObject|\s(?:style|on\w+)=/)
})

test('no picture is left of a diagram that is on no page', () => {
  expect(readdirSync('docs/images/diagrams').toSorted()).toEqual(
    drawn.map(({ path }) => basename(path)).toSorted(),
  )
  expect(drawn.length).toBeGreaterThan(0)
})
