import { backdrop, choice, type Draw, each, glow, randomNumbers } from './drawing.ts'

/** The colors of an hour: the sky from top to bottom, the sun, and the sea. */
const hours = [
  ['#f6d5b0', '#f2a48a', '#fff1d0', '#3c6e8f'],
  ['#9cc9dc', '#e8f1ec', '#ffffff', '#2f7f86'],
  ['#5a4a82', '#e88a72', '#ffd9a0', '#33406e'],
  ['#20395c', '#7694b4', '#e9f2ff', '#1d3554'],
] as const

const hulls = ['#8c3b30', '#2b3f4f', '#e9e2d3', '#3f5a45', '#b8862d']
const sails = ['#fbf6ea', '#e7c9a0', '#b5473c', '#d9dfe3']

/** A vessel of its rig on the sea, at one of the hours between two tides. */
export const drawVessel: Draw = ({ tokenId, trait }) => {
  const random = randomNumbers(tokenId)
  const [top, bottom, sun, sea] = choice(hours, random())
  const [hull, sail] = [choice(hulls, random()), choice(sails, random())]
  const [x, y] = [70 + random() * 260, 90 + random() * 90]
  const tilt = (random() * 6 - 3).toFixed(1)
  const rig = rigs[trait('type')] ?? cutter
  return [
    backdrop(top, bottom),
    glow('l', { x, y, radius: 90, color: sun }),
    `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="30" fill="${sun}"/>`,
    `<rect y="268" width="400" height="132" fill="${sea}"/>`,
    `<g transform="rotate(${tilt} 200 290)">${rig(sail, hull)}</g>`,
    waves(random, sea),
  ].join('')
}

/** Three rows of waves in front of the hull. */
const waves = (random: () => number, sea: string): string =>
  each(3, (row) => {
    const [top, shift] = [302 + row * 32, -random() * 50]
    const crests = each(10, () => 'q12.5-14 25 0t25 0')
    return `<path d="M${shift.toFixed(1)} ${top}${crests}V400H${shift.toFixed(1)}z" fill="${sea}"/><path d="M${shift.toFixed(1)} ${top}${crests}" fill="none" stroke="#fff" stroke-opacity="${0.4 - row * 0.1}" stroke-width="3"/>`
  })

type Rig = (sail: string, hull: string) => string

const body = (hull: string, left: number, right: number): string =>
  `<path d="M${left} 266h${right - left}c-6 36-22 54-44 58h-${right - left - 84}c-24-4-36-24-40-58z" fill="${hull}"/><path d="M${left} 266h${right - left}l-2 12H${left + 2}z" fill="#fff" opacity=".35"/>`
const mast = (x: number, top: number): string =>
  `<path d="M${x} ${top}v${268 - top}" stroke="#4a3526" stroke-width="6" stroke-linecap="round"/>`

const cutter: Rig = (sail, hull) =>
  `${mast(194, 92)}<path d="M202 104c70 40 86 96 88 142h-88z" fill="${sail}"/><path d="M186 112c-40 44-60 92-66 134h66z" fill="${sail}" opacity=".85"/>${body(hull, 112, 292)}`

/** The rigs by the type of the vessel's item. */
const rigs: Readonly<Record<string, Rig>> = {
  Cutter: cutter,
  'Herring Drifter': (sail, hull) =>
    `${mast(156, 110)}${mast(252, 146)}<path d="M120 130l74-12 6 128h-88z" fill="${sail}"/><path d="M230 164l46-8 4 90h-56z" fill="${sail}" opacity=".85"/>${body(hull, 96, 306)}<path d="M104 262q-30 24-64 20" fill="none" stroke="#4a3526" stroke-width="3" stroke-dasharray="5 6"/>`,
  'Bell Barge': (sail, hull) =>
    `<path d="M150 268l34-128h32l34 128z" fill="none" stroke="#4a3526" stroke-width="7"/><path d="M172 222c10-4 12-20 12-34a16 16 0 0 1 32 0c0 14 2 30 12 34z" fill="#d9a53a"/><circle cx="200" cy="228" r="7" fill="#8f6a1c"/><path d="M200 140V92l44 16-44 16" fill="${sail}" stroke="#4a3526" stroke-width="4" stroke-linejoin="round"/>${body(hull, 84, 316)}`,
  Packet: (sail, hull) =>
    `${mast(150, 92)}${mast(246, 106)}${each(3, (row) => `<path d="M${112 - row * 5} ${110 + row * 46}h${76 + row * 10}q-8 20 0 38h-${76 + row * 10}q8-18 0-38z" fill="${sail}" opacity="${1 - row * 0.06}"/>`)}${each(3, (row) => `<path d="M${214 - row * 4} ${122 + row * 44}h${64 + row * 8}q-8 18 0 36h-${64 + row * 8}q8-16 0-36z" fill="${sail}" opacity=".9"/>`)}${body(hull, 92, 312)}`,
}
