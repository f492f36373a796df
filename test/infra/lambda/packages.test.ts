import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serviceApp } from '../../support/service-template.ts'

test('the package of a function has its code, and not its source maps', () => {
  const { directory } = serviceApp().app.synth()
  const packed = globSync('asset.*/*', { cwd: directory }).map((path) => path.split(/[\\/]/)[1])
  expect(packed.length).toBeGreaterThan(20)
  expect(new Set(packed)).toEqual(new Set(['index.js']))
})
