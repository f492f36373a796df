import { describe, expect, test } from 'vitest'
import { productWith } from '../../../test/support/requests/reading.ts'
import { sharedService } from '../../../test/support/services/service.ts'
import { samplePicture } from '../../samples/pictures/sample-pictures.ts'
import { pictureFolders } from '../../samples/sample-metadata.ts'
import { samples } from '../../samples/samples.ts'

const service = sharedService()

/** A picture at a path, as text. */
const drawn = (path: string) => samplePicture('GET', path)?.body.toString()

describe('the pictures of the sample world', () => {
  test('are where the links of the NFTs say, on the stack itself', async () => {
    const { curios: _, ...collections } = samples.collections
    const contracts = Object.values(collections).map((one) => ({
      ...one,
      tokenIds: ['1', '2', '3'],
    }))
    const apiKey = await productWith(service, ...contracts)
    const { json } = await service.call('GET /product/nfts', { apiKey })
    const images: string[] = json.data.map(
      ({ formattedMetadata }: { formattedMetadata: { image: string } }) => formattedMetadata.image,
    )
    const own = images.filter((image) => image.startsWith(service.url))
    // The first vessel has its picture at another host.
    expect([images.length, own.length]).toEqual([15, 14])
    for (const image of own) {
      const answer = await fetch(image)
      expect([image, answer.status]).toEqual([image, 200])
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'image/svg+xml',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'x-content-type-options': 'nosniff',
      })
      expect(await answer.text()).toMatch(
        /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 400 400"/,
      )
    }
  })

  test('are the same for the same NFT, different for others, and less than 8 KB', () => {
    for (const folder of Object.values(pictureFolders)) {
      const pictures = Array.from({ length: 60 }, (_, index) =>
        drawn(`/ipfs/${folder}/${index + 1}.svg`),
      )
      expect(drawn(`/ipfs/${folder}/1.svg`)).toBe(pictures[0])
      expect(new Set(pictures).size).toBeGreaterThan(5)
      for (const picture of pictures) expect(picture?.length).toBeLessThan(8_000)
    }
  })

  test('have no part that is missing, and no scripts or links', () => {
    for (const folder of Object.values(pictureFolders)) {
      for (let tokenId = 0; tokenId < 300; tokenId += 1) {
        expect(drawn(`/arweave/${folder}/${tokenId}.svg`)).not.toMatch(
          /undefined|NaN|<script|href|\son\w+=/,
        )
      }
    }
  })

  test.each([
    `/ipfs/${pictureFolders.gear}`,
    `/ipfs/${pictureFolders.gear}/1.png`,
    `/ipfs/${pictureFolders.gear}/-1.svg`,
    `/ipfs/${pictureFolders.gear}/../1.svg`,
    '/ipfs/unknown/1.svg',
    `/${pictureFolders.gear}/1.svg`,
  ])('have no other path, such as %s', (path) => {
    expect(samplePicture('GET', path)).toBeUndefined()
    expect(samplePicture('POST', `/ipfs/${pictureFolders.gear}/1.svg`)).toBeUndefined()
  })
})
