/** A script that a document of an NFT tries to run: the page of the test counts its calls. */
const canary = 'globalThis.canary?.()'

/** A host that no page may ask without the user's consent. */
export const hostileHost = 'hostile.example'

/** A picture with scripts and pictures of its own, as a gateway could serve it. */
export const hostileSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" onload="${canary}"><script>${canary}</script><image href="https://${hostileHost}/in-svg.png" onerror="${canary}"/><foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="https://${hostileHost}/in-html.png" onerror="${canary}"/></foreignObject><rect width="9" height="9" fill="teal"/></svg>`

/** Names that break pages which use them as HTML, as a URL, or as a text of harmless length and direction. */
export const hostileNames: readonly string[] = [
  `<script>${canary}</script>`,
  `<img src=x onerror="${canary}">`,
  `"><svg onload="${canary}">`,
  `'"--></style></textarea><iframe srcdoc="<script>parent.${canary}</script>">`,
  `<a href="javascript:${canary}">click</a>`,
  `<base href="https://${hostileHost}/"><link rel="stylesheet" href="https://${hostileHost}/a.css">`,
  `<meta http-equiv="refresh" content="0;url=https://${hostileHost}/">`,
  `\${${canary}} {{${canary}}} #{${canary}} %${canary}%`,
  `javascript:${canary}`,
  '__proto__',
  '\u202Egnp.lagel\u202C \u2066isolated without an end',
  '\u200b\u200c\u200d\u2060\ufeff',
  'before\u0000\u0008\u001b[31mafter',
  '\ud800 alone',
  '👩‍👩‍👧‍👦🏳️‍🌈\u{1F1E9}\u{1F1EA}'.repeat(40),
  `Z${'\u0335\u0321\u0322\u0353\u0306'.repeat(60)}algo`,
  '﷽'.repeat(50),
  'W'.repeat(1_000_000),
  'two\nlines\r\nand\ttabs\u2028separated',
  '',
]

const pictures: readonly string[] = [
  `javascript:${canary}`,
  `data:text/html,<script>${canary}</script>`,
  `https://${hostileHost}/picture.png`,
  `http://${hostileHost}/picture.png`,
  `//${hostileHost}/picture.png`,
  `https://gateway.example@${hostileHost}/picture.png`,
  `https://gateway.example.${hostileHost}/ipfs/picture.png`,
  `https://${'long-label.'.repeat(20)}${hostileHost}/picture.png`,
  `https://${hostileHost}/" onerror="${canary}`,
  'file:///etc/passwd',
  'not a link',
  'blob:https://hostile.example/0b6a2f',
  'ipfs://../../../picture.png',
  'ar://',
  '\u0000',
]

/** Pictures that load by themselves, with scripts inside. */
const loadedPictures: readonly string[] = [
  hostileSvg,
  `data:image/svg+xml,${encodeURIComponent(hostileSvg)}`,
  `data:image/svg+xml;base64,${btoa(hostileSvg)}`,
  'ipfs://bafyhostile/1.svg',
  'data:image/png;base64,broken',
]

/** The links to metadata of the contract, by token identifier. */
const links = [
  `javascript:${canary}`,
  `data:text/html,<script>${canary}</script>`,
  `https://${hostileHost}/" onmouseover="${canary}`,
  `vbscript:${canary}`,
  `https://${hostileHost}/${'a'.repeat(3_000)}`,
  `//${hostileHost}`,
  '\u202egpj.exe',
]

/** Documents of NFTs that anybody could write. */
export const hostileDocuments: readonly string[] = [
  ...hostileNames.map((text, index) =>
    JSON.stringify({
      name: text,
      // Two texts of a megabyte would not be shown at all.
      description: text.length > 10_000 ? '' : text,
      image: pictures[index % pictures.length],
      attributes:
        text.length > 10_000 ? [] : [{ trait_type: text, value: text }, { value: `${text}!` }],
    }),
  ),
  JSON.stringify({
    name: 'An NFT with many attributes',
    attributes: hostileNames
      .slice(0, 8)
      .flatMap((text) => Array(40).fill({ trait_type: text, value: text })),
  }),
  ...loadedPictures.map((image) => JSON.stringify({ name: 'A picture with scripts', image })),
]

/** The link to the metadata of an NFT. */
export const hostileLink = (tokenId: string): string => links[Number(tokenId) % links.length] ?? ''
