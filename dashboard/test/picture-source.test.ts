import { describe, expect, test } from 'vitest'
import { pictureSource, safeLink } from '../components/picture-source.ts'

const gateways = {
  ipfsGateway: 'https://ipfs.example.com/ipfs/',
  arweaveGateway: 'https://arweave.example.com/',
}
const source = (image: string | null) => pictureSource(image, gateways, 'https://nfts.example')

describe('D62: pictures of NFTs', () => {
  test.each([
    ['https://nfts.example/ipfs/a.svg', 'https://nfts.example/ipfs/a.svg'],
    ['https://ipfs.example.com/ipfs/bafy/1.png', 'https://ipfs.example.com/ipfs/bafy/1.png'],
    ['HTTPS://IPFS.example.com/ipfs/bafy', 'https://ipfs.example.com/ipfs/bafy'],
    ['https://arweave.example.com/x', 'https://arweave.example.com/x'],
    ['ipfs://bafy/1.png', 'https://ipfs.example.com/ipfs/bafy/1.png'],
    ['ipfs://ipfs/bafy', 'https://ipfs.example.com/ipfs/bafy'],
    ['ar://x', 'https://arweave.example.com/x'],
    ['data:image/png;base64,AAAA', 'data:image/png;base64,AAAA'],
  ])('%s loads by itself', (image, url) => {
    expect(source(image)).toEqual({ kind: 'loads', url })
  })

  test.each([
    ['https://images.example/1.png', 'images.example'],
    ['https://ipfs.example.com/elsewhere', 'ipfs.example.com'],
    ['https://ipfs.example.com.evil.example/ipfs/', 'ipfs.example.com.evil.example'],
    ['https://ipfs.example.com/ipfs/../track', 'ipfs.example.com'],
    ['ipfs://../track', 'ipfs.example.com'],
    ['https://ipfs.example.com@evil.example/ipfs/', 'evil.example'],
    ['https://user@nfts.example/', 'nfts.example'],
    ['https://nfts.example:8443/a', 'nfts.example:8443'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
  ])('%s is loaded after a click that names %s', (image, host) => {
    expect(source(image)).toMatchObject({ kind: 'asks', host })
  })

  const dataUrl = (length: number, scheme = 'data') =>
    `${scheme}:image/png;base64,`.padEnd(length, 'A')

  test('D79: a picture inside the metadata loads by itself up to 100 KB', () => {
    expect(source(dataUrl(100_000)).kind).toBe('loads')
    const large = dataUrl(100_001)
    expect(source(large)).toEqual({ kind: 'is large', url: large, size: '101\u00a0KB' })
  })

  test.each([
    [999_000, '999\u00a0KB'],
    [999_001, '1.0\u00a0MB'],
    [2_300_001, '2.3\u00a0MB'],
  ])('D79: one of %i bytes is loaded after a click that names its size, %s', (length, size) => {
    expect(source(dataUrl(length, 'DATA'))).toMatchObject({ kind: 'is large', size })
  })

  test.each([
    null,
    '',
    'no URL',
    'javascript:alert(1)',
    'http://images.example/1.png',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'blob:https://nfts.example/1',
    '//images.example/1.png',
    'ipfs://',
  ])('%j shows no picture', (image) => {
    expect(source(image).kind).toBe('none')
  })

  test('only http and https links are offered', () => {
    expect(safeLink('https://a.example/1.json')).toEqual({
      url: 'https://a.example/1.json',
      host: 'a.example',
    })
    expect(safeLink('javascript:alert(1)')).toBeUndefined()
    expect(safeLink('data:application/json,{}')).toBeUndefined()
    expect(safeLink('')).toBeUndefined()
  })
})
