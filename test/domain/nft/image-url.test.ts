import { describe, expect, test } from 'vitest'
import { memberTexts } from '../../../lib/domain/nft/attributes.ts'
import { imageUrl, withTokenId } from '../../../lib/domain/nft/structured-metadata.ts'

const gateways = { ipfs: 'https://ipfs.example/ipfs/', arweave: 'https://arweave.example/' }

const read = (document: unknown, tokenId = '1') =>
  imageUrl(memberTexts(JSON.stringify(document)), tokenId, gateways)

const image = (value: unknown) => read({ image: value })

const cid0 = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKPV4z'

const cid1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'

const raw1 = 'bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

describe('D134: a URL', () => {
  test.each([
    'https://a.example/b c.png?c#d',
    'http://a.example/100%.png',
    'HTTPS://A.EXAMPLE/',
    'data:image/svg+xml;utf8,<svg/>',
    'data:image/svg+xml,%3Csvg%20fill=%22%23f00%22/%3E',
    'data:image/png;base64,AAAA',
    'data:image/png; base64, AAAA',
    'data:image/png;base64 ,AA AA',
    'DATA:image/svg+xml;charset=utf-8;BASE64,AA AA',
  ])('D134: %s is unchanged', (url) => {
    expect(image(url)).toBe(url)
    expect(image(`\n ${url}\t`)).toBe(url)
  })

  test.each([
    ['ipfs://Qm1/2.png', 'https://ipfs.example/ipfs/Qm1/2.png'],
    ['ipfs://ipfs/Qm1/2.png', 'https://ipfs.example/ipfs/Qm1/2.png'],
    ['ipfs:/ipfs/Qm1', 'https://ipfs.example/ipfs/Qm1'],
    ['IPFS://Qm1/ü #1.png', 'https://ipfs.example/ipfs/Qm1/ü%20%231.png'],
    ['ipfs://Qm1/Beast#525.png', 'https://ipfs.example/ipfs/Qm1/Beast%23525.png'],
    [
      'ipfs://Qm1/100%/50%2/%g1/a%20b%23.png?w=3&x=%41#y',
      'https://ipfs.example/ipfs/Qm1/100%25/50%252/%25g1/a%20b%23.png?w=3&x=%41%23y',
    ],
    ['ar://abc_-1', 'https://arweave.example/abc_-1'],
    ['ar://abc/0 #%.json?a=b', 'https://arweave.example/abc/0%20%23%25.json?a=b'],
    [cid0, `https://ipfs.example/ipfs/${cid0}`],
    [` ${cid1}\n`, `https://ipfs.example/ipfs/${cid1}`],
    [raw1, `https://ipfs.example/ipfs/${raw1}`],
    [`/ipfs/${cid0}`, `https://ipfs.example/ipfs/${cid0}`],
    [`/ipfs/${cid1}/Beast #5.png?x`, `https://ipfs.example/ipfs/${cid1}/Beast%20%235.png?x`],
    [
      'data:image/svg+xml;utf8,<svg fill="#f00"\n width="100%" y="%20">',
      'data:image/svg+xml;utf8,<svg%20fill="%23f00"%0A%20width="100%25"%20y="%20">',
    ],
  ])('D134: %j becomes %s', (url, link) => expect(image(url)).toBe(link))

  test.each([
    ...['', ' ', 'ipfs://', 'ipfs://ipfs/', 'https://', 'data:image/', 'ipfs:', 'ar://'],
    ...['Qm1', 'ftp://a.example/b.png', 'javascript:alert(1)', 'data:text/html,<script>'],
    ...['//a.example/b.png', `${cid0}z`, cid0.slice(1), `${cid0}/1.png`, cid1.toUpperCase()],
    ...[`${cid1}a`, cid1.slice(0, -1), '/ipfs/Qm1', `/ipfs/${cid0}z`, `ipfs/${cid0}`],
    ...[
      cid0.replace('Y', '0'),
      cid1.replace('d', '1'),
      '<html><svg></svg></html>',
      '<svgx>',
      '<!--',
    ],
    ...[null, 7, {}, [], { url: 7 }, [{ url: null }], [['https://a.example']]],
  ])('D134: %j is not an image', (value) => expect(image(value)).toBeNull())
})

describe('D134: SVG markup', () => {
  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"\n width="100%"><path fill="#f00" id="%20ü🗡"/></svg>',
    '<?xml version="1.0"?>\n<SVG/>',
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x.dtd"><svg>',
    '<!-- a fox --><svg\n/>',
  ])('D134: %s is in a data: URL without loss', (markup) => {
    const url = image(`\n${markup} `) ?? ''
    const [header, data = ''] = url.split(',', 2)
    expect(header).toBe('data:image/svg+xml;charset=utf-8')
    expect(data).toMatch(/^[\w\-.~!$&'()*+;=:@/?%]+$/)
    expect(decodeURIComponent(url.slice(url.indexOf(',') + 1))).toBe(markup)
    expect(read({ image_data: markup })).toBe(url)
  })

  test('D134: half a surrogate pair in it becomes U+FFFD', () => {
    expect(image('<svg>\ud83e</svg>')).toContain('%3Csvg%3E%EF%BF%BD%3C/svg%3E')
  })
})

describe('D134: the field', () => {
  const [first, second, third] = ['https://a.example/1', 'https://a.example/2', 'ipfs://3']

  test('D134: the first with a usable form of image, image_url, imageUrl and image_data counts', () => {
    const fields = { image_data: '<svg/>', imageUrl: third, image_url: second, image: first }
    expect(read(fields)).toBe(first)
    expect(read({ ...fields, image: '' })).toBe(second)
    expect(read({ ...fields, image: 'a.png', image_url: 7 })).toBe('https://ipfs.example/ipfs/3')
    expect(read({ ...fields, image: {}, image_url: [], imageUrl: null })).toMatch(/^data:.*svg/)
  })

  test.each([
    [{ url: ` ${first}` }],
    [[first, second]],
    [[null, 'a.png', { url: 'b.png' }, { url: first }, second]],
  ])('D134: %j is the URL in it', (value) => {
    expect(image(value)).toBe(first)
    expect(read({ image: null, imageUrl: value })).toBe(first)
  })

  test('D134: {id} is the token identifier of ERC-1155, in URLs only', () => {
    const hex = `${'0'.repeat(62)}1f`
    const links = ['https://a.example/{id}.png', 'ipfs://Qm1/%7Bid%7d.png', '<svg>{id}</svg>']
    expect(links.map((link) => read({ image: link }, '31'))).toEqual([
      `https://a.example/${hex}.png`,
      `https://ipfs.example/ipfs/Qm1/${hex}.png`,
      'data:image/svg+xml;charset=utf-8,%3Csvg%3E%7Bid%7D%3C/svg%3E',
    ])
  })
})

describe('D134: the {id} of ERC-1155', () => {
  test.each([
    ['https://a.example/{id}.json', '314592', `https://a.example/${'0'.repeat(59)}4cce0.json`],
    ['ipfs://Qm1/%7Bid%7D?x=%7bid%7d', '0', `ipfs://Qm1/${'0'.repeat(64)}?x=${'0'.repeat(64)}`],
    ['{id}', `${2n ** 256n - 1n}`, 'f'.repeat(64)],
    ['https://a.example/{ID}/{tokenId}/%7Bid', '7', 'https://a.example/{ID}/{tokenId}/%7Bid'],
    ['', '7', ''],
  ])('D134: in %j is the token identifier %s', (uri, tokenId, expected) => {
    expect(withTokenId(uri, tokenId)).toBe(expected)
  })

  test('D134: a URI of 2,048 characters has it, and a longer one is unchanged', () => {
    const longest = `${'x'.repeat(2_044)}{id}`
    expect(withTokenId(longest, '7')).toHaveLength(2_044 + 64)
    expect(withTokenId(`x${longest}`, '7')).toBe(`x${longest}`)
  })
})
