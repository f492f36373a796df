import assert from 'node:assert/strict'
import { S3 } from '@aws-sdk/client-s3'
import { buildDashboardPage, configPath } from '@player-nfts/dashboard/build/build-dashboard'
import {
  appSecurityHeaders,
  type SecurityHeaders,
} from '@player-nfts/dashboard/build/security-headers'
import { pagePaths } from '@player-nfts/dashboard/shell/page-paths'
import { buildSite } from '@player-nfts/dashboard/site/build-site'
import type { Place } from '../../scripts/deploy-local/place.ts'
import type { Deployment } from './deployment.ts'

/** The distribution serves every file and page of the dashboard and of the documentation (D63), with its headers. */
export async function expectDashboard({ edgeUrl, stackName }: Deployment): Promise<void> {
  const get = (path: string) => fetch(`${edgeUrl}${path}`, { redirect: 'manual' })
  const expectFile = async (path: string, body: Uint8Array, headers: SecurityHeaders) => {
    const response = await get(path)
    assert.equal(response.status, 200, path)
    assert.ok(Buffer.from(body).equals(Buffer.from(await response.arrayBuffer())), path)
    for (const [name, value] of Object.entries(headers)) {
      assert.equal(response.headers.get(name), value, `${name} of ${path}`)
    }
  }
  const files = await buildDashboardPage()
  for (const [path, { body, contentType, cacheControl }] of [...files, ...(await buildSite())]) {
    const own = { 'content-type': contentType, 'cache-control': cacheControl }
    await expectFile(path, body, { ...appSecurityHeaders(), ...own })
  }
  const page = files.get('/index.html')?.body ?? new Uint8Array()
  for (const path of Object.values(pagePaths)) {
    await expectFile(path.replaceAll(/:\w+/g, '0x1'), page, appSecurityHeaders())
  }
  assert.deepEqual(await (await get(configPath)).json(), {
    stage: stackName.replace('PlayerNfts-', ''),
    ipfsGateway: 'https://ipfs.io/ipfs/',
    arweaveGateway: 'https://arweave.net/',
    chains: ['POLYGON', 'BSC'],
  })
  for (const path of ['/docs', '/docs/']) {
    const { status, headers } = await get(path)
    assert.deepEqual([status, headers.get('location')], [307, '/docs/index.html'])
  }
  // MiniStack responds with 403 to a distribution, whether it may list the bucket or not. AWS responds with 404.
  for (const path of ['/assets/nothing.js', '/docs/nothing.html', '/docs/api']) {
    assert.ok([403, 404].includes((await get(path)).status), path)
  }
}

/** No bucket of the stack remains. */
export async function expectNoBuckets({ aws }: Pick<Place, 'aws'>): Promise<void> {
  const { Buckets = [] } = await new S3(aws).listBuckets()
  const names = Buckets.map(({ Name }) => Name)
  assert.deepEqual(
    names.filter((name) => name?.includes('dashboard')),
    [],
  )
}
