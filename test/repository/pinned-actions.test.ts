import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('every action of the workflows is pinned to a commit, beside the name of its version', () => {
  const workflows = globSync('.github/workflows/*.yml').map((file) => readFileSync(file, 'utf8'))
  const used = workflows.flatMap((text) =>
    Array.from(text.matchAll(/^ *(?:- )?uses: (.*)$/gm), ([, action = '']) => action),
  )
  // A workflow of this repository is that of the same commit.
  const foreign = used.filter((action) => !action.startsWith('./'))
  expect(foreign.length).toBeGreaterThan(10)
  const unpinned = foreign.filter(
    (action) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
  )
  expect(unpinned).toEqual([])
})
