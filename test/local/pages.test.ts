import { describe, expect, test } from 'vitest'
import { page } from '../../local/pages/pages.ts'
import { sampleTable } from '../../local/samples/sample-table.ts'
import { useGateway } from './api-gateway/gateway-fixture.ts'

const { start } = useGateway()

const textOf = (path: string) => page(path)?.body.toString() ?? ''

describe('the pages for people', () => {
  test('are served to GET requests on paths without a route', async () => {
    const gateway = await start({ page })
    const status = async (path: string, method = 'GET') =>
      (await fetch(`${gateway.url}${path}`, { method })).status
    expect(await status('/')).toBe(200)
    expect(await status('/docs')).toBe(200)
    const slash = await fetch(`${gateway.url}/docs/?from=a-link`)
    expect([slash.status, slash.url]).toEqual([200, `${gateway.url}/docs`])
    expect(await status('/echo')).toBe(200)
    expect(await status('/', 'POST')).toBe(404)
    expect(await status('/docs/nothing')).toBe(404)
    expect(await status('/docs/constructor')).toBe(404)
    await gateway.close()
  })

  test('lead to the reference, and show the sample world', () => {
    expect(textOf('/')).toContain('href="/docs"')
    expect(textOf('/')).toContain(sampleTable().join('\n'))
  })

  test('do not mention a sample world that the stack does not have', () => {
    const home = page('/', { hasSamples: false })?.body.toString()
    expect(home).toContain('href="/docs"')
    expect(home).not.toMatch(/sample|user-token/)
  })

  test('load only files that this machine serves', () => {
    const loaded = Array.from(textOf('/docs').matchAll(/(?:src|href)="(\/[^"]*)"/g), ([, to]) => to)
    expect(loaded).toEqual(['/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/docs/start.js'])
    for (const path of loaded) expect(page(path ?? '')?.status).toBe(200)
    for (const path of ['/', '/docs', '/docs/start.js']) expect(textOf(path)).not.toMatch(/https?:/)
    expect(page('/docs')?.headers['content-security-policy']).toContain("default-src 'self'")
  })
})
