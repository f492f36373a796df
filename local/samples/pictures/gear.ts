import { type Draw, each, side } from './drawing.ts'

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
