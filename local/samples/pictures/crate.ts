import { type Draw, side } from './drawing.ts'

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
