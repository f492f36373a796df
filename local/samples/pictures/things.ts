import { backdrop, type Draw, each, glow, randomNumbers, side, stars } from './drawing.ts'

/** The colors of a rarity: of the item, and of its shade. */
const rarities: Readonly<Record<string, readonly [color: string, shade: string]>> = {
  COMMON: ['#8d99a6', '#6d7986'],
  UNCOMMON: ['#5f9e6e', '#457a52'],
  RARE: ['#3f7cac', '#2d5d83'],
  EPIC: ['#8e5aa8', '#6c4183'],
  LEGENDARY: ['#d19a2b', '#a5761a'],
}

const ink = '#2b2a28'

/** A plate of a catalogue: a piece of equipment in the color of its rarity, with a pip for each tier. */
export const drawGear: Draw = ({ trait }) => {
  const [color, shade] = rarities[trait('rarity')] ?? ['#8d99a6', '#6d7986']
  const item = items[trait('parentItem')] ?? lantern
  const tier = Number(trait('Tier')) || 1
  return [
    `<rect width="${side}" height="${side}" fill="#f4eee1"/>`,
    `<rect x="18" y="18" width="364" height="364" rx="6" fill="none" stroke="${ink}" stroke-opacity=".35" stroke-width="2"/>`,
    `<rect x="26" y="26" width="348" height="348" rx="4" fill="none" stroke="${color}" stroke-width="3"/>`,
    `<circle cx="200" cy="190" r="124" fill="${color}" opacity=".13"/>`,
    `<g stroke="${ink}" stroke-width="5" stroke-linejoin="round" stroke-linecap="round">${item(color, shade)}</g>`,
    each(4, (index) => {
      const isFilled = index < tier
      return `<path d="M${146 + index * 36} 338l9 9-9 9-9-9z" fill="${isFilled ? color : 'none'}" stroke="${color}" stroke-width="2"/>`
    }),
  ].join('')
}

type Item = (color: string, shade: string) => string

const lantern: Item = (color, shade) =>
  `<path d="M170 112a30 30 0 0 1 60 0" fill="none"/><path d="M158 112h84l14 24H144z" fill="${color}"/><path d="M152 136h96v96h-96z" fill="#fff7d6"/><path d="M200 158c22 24 20 50 0 58-20-8-22-34 0-58z" fill="#f2a93b"/><path d="M176 136v96M224 136v96" fill="none" stroke-width="3"/><path d="M144 232h112l10 34H134z" fill="${shade}"/>`

/** The kinds of equipment by their parent item. */
const items: Readonly<Record<string, Item>> = {
  Lantern: lantern,
  Gloves: (color, shade) =>
    each(2, (index) => {
      const place = index === 0 ? 'translate(122 104)' : 'matrix(-1 0 0 1 278 104)'
      return `<g transform="${place}"><path d="M8 168v-52L0 74c-2-12 12-14 15-3l7 22V30c0-11 14-11 15 0v40-52c0-11 15-11 15 0v54-44c0-11 14-11 14 0v88 52z" fill="${color}"/><path d="M4 144h66v26H4z" fill="${shade}"/></g>`
    }),
  Compass: (color, shade) =>
    `<circle cx="200" cy="84" r="13" fill="none"/><circle cx="200" cy="196" r="98" fill="${color}"/><circle cx="200" cy="196" r="76" fill="#fffaf0"/><path d="M200 130v12M200 250v12M134 196h12M254 196h12" fill="none"/><path d="M236 160l-24 48-24-24z" fill="${shade}"/><path d="M164 232l24-48 24 24z" fill="#fff"/><circle cx="200" cy="196" r="7" fill="${ink}"/>`,
  Coat: (color, shade) =>
    `<path d="M164 96l36 18 36-18 44 28 24 92-34 10-14-44v110H144V182l-14 44-34-10 24-92z" fill="${color}"/><path d="M164 96l36 40 36-40-36 18z" fill="${shade}"/><path d="M200 136v156" fill="none"/><path d="M152 228h30v32h-30zM222 204h26v26h-26zM160 172h24v22h-24z" fill="${shade}" stroke-width="3" stroke-dasharray="6 5"/>`,
  Hammer: (color, shade) =>
    `<g transform="rotate(38 200 190)"><path d="M190 148h22v150a11 11 0 0 1-22 0z" fill="#a9825a"/><path d="M128 92h146v56H128z" fill="${color}"/><path d="M128 92h-18v56h18zM274 92h18v56h-18z" fill="${shade}"/><path d="M184 92v56M218 92v56" fill="none" stroke-width="3"/></g>`,
  Quill: (color, shade) =>
    `<path d="M292 82c-84 6-140 54-152 142l-6 10 14-2c86-18 136-68 144-150z" fill="${color}"/><path d="M292 82C228 128 178 180 140 228l-26 62" fill="none"/><path d="M196 178l50-4M222 152l42-6M176 202l44-2" fill="none" stroke="${shade}" stroke-width="4"/><path d="M92 296q60-18 112 0" fill="none" stroke-width="4"/>`,
}

/** The colors and the emblem of a season: the background, the paint of the crate, and the stencil on its front. */
const seasons: Readonly<
  Record<string, readonly [background: string, paint: string, emblem: string]>
> = {
  'First Ebb': ['#dcebf2', '#4f88a8', '<path d="M-34-8q17-18 34 0t34 0M-34 14q17-18 34 0t34 0"/>'],
  Lamplighting: [
    '#fbeed2',
    '#d0973a',
    '<path d="M0-34c22 26 20 50 0 60-20-10-22-34 0-60zM-20 36h40"/>',
  ],
  'The Long Fog': ['#e6e8ea', '#8a949c', '<path d="M-36-20h52M-20-2h54M-36 16h44M-8 32h40"/>'],
  'Herring Moon': ['#dfe0f0', '#6265a0', '<path d="M14-34a36 36 0 1 0 0 68 28 28 0 1 1 0-68z"/>'],
  'Candle Week': [
    '#f8e2dc',
    '#c2604a',
    '<path d="M-12 36V-2h24v38zM0-14c12-8 6-18 0-24-6 6-12 16 0 24z"/>',
  ],
  'Spring Tide': [
    '#e0f0e2',
    '#55966a',
    '<circle r="15"/><path d="M0-36v10M0 26v10M-36 0h10M26 0h10M-25-25l7 7M18 18l7 7M25-25l-7 7M-18 18l-7 7"/>',
  ],
}

/** A crate of three planks on each side, with the emblem of its season. */
export const drawCrate: Draw = ({ name }) => {
  const season = seasons[name.replace(/ Crate$/, '')] ?? ['#e6e8ea', '#8a949c', '']
  const [background, paint, emblem] = season
  return [
    `<rect width="${side}" height="${side}" fill="${background}"/>`,
    '<ellipse cx="200" cy="330" rx="138" ry="26" fill="#000" opacity=".12"/>',
    `<path d="M200 78l124 62v128L200 330 76 268V140z" fill="${paint}"/>`,
    '<path d="M200 78l124 62-124 62L76 140z" fill="#fff" opacity=".38"/>',
    '<path d="M324 140v128l-124 62V202z" fill="#000" opacity=".22"/>',
    '<g stroke="#000" stroke-opacity=".25" stroke-width="3" fill="none"><path d="M76 183l124 62 124-62M76 226l124 62 124-62M158 99l124 62M117 119l124 62"/></g>',
    '<g stroke="#000" stroke-opacity=".4" stroke-width="6" stroke-linejoin="round" fill="none"><path d="M200 78l124 62v128L200 330 76 268V140zM76 140l124 62 124-62M200 202v128"/></g>',
    `<g transform="matrix(.9 .45 0 1 138 234)" fill="none" stroke="#fff" stroke-width="8" stroke-linecap="round" stroke-linejoin="round">${emblem}</g>`,
    '<g fill="#fff" opacity=".7"><circle cx="90" cy="158" r="4"/><circle cx="186" cy="206" r="4"/><circle cx="90" cy="264" r="4"/><circle cx="186" cy="312" r="4"/></g>',
  ].join('')
}

/** The colors of a glass: of its light, and of the night around it. */
const glasses: Readonly<Record<string, readonly [light: string, top: string, bottom: string]>> = {
  'Salt White': ['#fff3d6', '#1a2230', '#38455a'],
  'Herring Silver': ['#dcecf5', '#141d2b', '#33506b'],
  'Storm Green': ['#a5f0bd', '#0d2320', '#1f4f45'],
  'Widow’s Red': ['#ff9a86', '#2a0f18', '#5f2130'],
  'Ebb Blue': ['#8fd0ff', '#0c1a33', '#1f3f73'],
}

/** The height of the flame by oil. */
const flames: Readonly<Record<string, number>> = {
  Whale: 62,
  Tallow: 44,
  Rapeseed: 52,
  'Nobody’s Business': 74,
}

/** A lit lantern in the color of its glass, in a dial that shows the hours for which it burns. */
export const drawLantern: Draw = ({ tokenId, trait }) => {
  const random = randomNumbers(tokenId)
  const [light, top, bottom] = glasses[trait('Glass')] ?? ['#fff3d6', '#1a2230', '#38455a']
  const width = 66 + random() * 26
  return [
    backdrop(top, bottom),
    stars(random, 18),
    glow('l', { x: 200, y: 208, radius: 190, color: light }),
    dial(Number(trait('Hours')) || 4, light),
    body(width, light),
    flame(flames[trait('Oil')] ?? 52, light),
  ].join('')
}

/** Twelve hours around the lantern; the hours for which it burns are lit. */
const dial = (hours: number, light: string): string =>
  each(12, (hour) => {
    const angle = (hour / 12) * 2 * Math.PI - Math.PI / 2
    const [x, y] = [200 + 168 * Math.cos(angle), 200 + 168 * Math.sin(angle)]
    const isLit = hour < hours
    return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${isLit ? 6 : 3}" fill="${isLit ? light : '#fff'}" opacity="${isLit ? 1 : 0.3}"/>`
  })

function body(width: number, light: string): string {
  const [left, right] = [200 - width / 2, 200 + width / 2]
  const at = (number: number) => number.toFixed(1)
  return [
    `<path d="M172 124c0-44 56-44 56 0" fill="none" stroke="#0a0d12" stroke-width="7"/>`,
    `<path d="M${at(left)} 158h${at(width)}c${at(width * 0.22)} 44 ${at(width * 0.22)} 60 0 104h-${at(width)}c-${at(width * 0.22)}-44-${at(width * 0.22)}-60 0-104z" fill="${light}" fill-opacity=".45" stroke="#0a0d12" stroke-width="5"/>`,
    `<path d="M${at(left - 8)} 158l16-34h${at(width - 16)}l16 34zM${at(left - 14)} 262h${at(width + 28)}l8 30H${at(left - 22)}z" fill="#0a0d12"/>`,
    `<path d="M${at(left + width * 0.2)} 160v100M${at(right - width * 0.2)} 160v100" stroke="#0a0d12" stroke-width="3"/>`,
  ].join('')
}

const flame = (height: number, light: string): string =>
  `<path d="M200 ${250 - height}c${height * 0.4} ${height * 0.45} ${height * 0.36} ${height} 0 ${height}s-${height * 0.4}-${height * 0.55} 0-${height}z" fill="#fff"/><circle cx="200" cy="238" r="9" fill="${light}"/>`
